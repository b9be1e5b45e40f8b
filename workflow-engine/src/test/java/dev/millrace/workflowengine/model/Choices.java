package dev.millrace.workflowengine.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The choices that make a random workflow. They can be taken again with some left out, and what is
 * left out is 0, the simplest: that is how a failing case becomes small.
 */
final class Choices {
    private final Random random;
    private final List<Integer> given;
    private final boolean replay;
    private final List<Integer> taken = new ArrayList<>();

    private Choices(Random random, List<Integer> given, boolean replay) {
        this.random = random;
        this.given = given;
        this.replay = replay;
    }

    static Choices random(long seed) {
        return new Choices(new Random(seed), List.of(), false);
    }

    static Choices again(List<Integer> given) {
        return new Choices(new Random(0), given, true);
    }

    /** A number below the bound. */
    int below(int bound) {
        int next = taken.size();
        int choice =
                replay ? next < given.size() ? given.get(next) % bound : 0 : random.nextInt(bound);
        taken.add(choice);
        return choice;
    }

    /** Something that is seldom; 0 means that it is not. */
    boolean oneIn(int many) {
        return below(many) == many - 1;
    }

    <T> T of(List<T> all) {
        return all.get(below(all.size()));
    }

    List<Integer> taken() {
        return List.copyOf(taken);
    }
}
