package dev.millrace.workflowengine.model;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.workflowengine.core.NodeNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Steps templates. */
final class SlowSteps {
    private static final String NO_LIST = "withParam value could not be parsed as a JSON list: ";

    private final SlowTree tree;

    SlowSteps(SlowTree tree) {
        this.tree = tree;
    }

    void advance(Spot spot) {
        List<List<Flow.Member>> groups = ((Flow.Steps) spot.template().body()).groups();
        List<Spot> parents = List.of(spot);
        for (int i = 0; i < groups.size(); i++) {
            String name = spot.name() + "[" + i + "]";
            Spot group = tree.find(name);
            if (group == null) {
                Spot.Call call =
                        new Spot.Call(
                                name,
                                spot.template(),
                                false,
                                Map.of(),
                                spot,
                                null,
                                false,
                                false,
                                spot.call.exit(),
                                parents);
                group = tree.add(call, NodeType.STEP_GROUP, NodePhase.RUNNING);
            }
            if (!group.fulfilled()) {
                group(spot, group, groups.get(i));
            }
            if (!group.fulfilled()) {
                return;
            }
            if (group.failed()) {
                boolean failFast = SlowTree.FAIL_FAST.equals(group.message);
                tree.finish(
                        spot,
                        NodePhase.FAILED,
                        group.message,
                        failFast ? List.of() : outbound(group));
                return;
            }
            parents = SlowLinks.outboundOr(tree, group.children, group);
            if (i == groups.size() - 1) {
                succeed(tree, spot, outbound(group));
            }
        }
    }

    private List<Spot> outbound(Spot group) {
        return group.children.isEmpty()
                ? List.of()
                : SlowLinks.outboundOr(tree, group.children, group);
    }

    /** A Steps or DAG node has succeeded, if its outputs are there. */
    static void succeed(SlowTree tree, Spot spot, List<Spot> outbound) {
        SlowScope scope = new SlowScope(tree, spot, null, null);
        Map<String, String> outputs = new LinkedHashMap<>();
        for (Flow.Output out : spot.template().outputs()) {
            try {
                outputs.put(out.name(), scope.fill(Objects.requireNonNull(out.from())));
            } catch (Unfit e) {
                if (out.byDefault() == null) {
                    tree.finish(
                            spot,
                            NodePhase.ERROR,
                            "outputs.parameters." + out.name() + ": " + e.text(),
                            outbound);
                    return;
                }
                outputs.put(out.name(), out.byDefault());
            }
        }
        spot.outputs = outputs.isEmpty() ? null : outputs;
        tree.finish(spot, NodePhase.SUCCEEDED, null, outbound);
    }

    /** One node that a step or task becomes. */
    record Piece(String name, @Nullable String item) {}

    /**
     * The nodes that a step or task becomes; one without an item if it is no loop.
     *
     * @throws Unfit if a tag cannot be replaced
     */
    static List<Piece> pieces(String full, Flow.Member member, SlowScope scope) throws Unfit {
        List<String> items = new ArrayList<>();
        switch (member.loop()) {
            case null -> {
                return List.of(new Piece(full, null));
            }
            case Flow.Items(var all) -> items.addAll(all);
            case Flow.Param(var list) -> {
                String text = scope.fill(list);
                scope.arguments(member.arguments());
                if (!text.startsWith("[")) {
                    throw new Unfit(NO_LIST + text + ": it is another kind of value");
                }
                Json.mapper().readTree(text).forEach(i -> items.add(i.asString()));
            }
            case Flow.Sequence(int count) -> {
                for (int i = 0; i < count; i++) {
                    items.add(Integer.toString(i));
                }
            }
        }
        scope.arguments(member.arguments());
        List<Piece> pieces = new ArrayList<>();
        for (String item : items) {
            pieces.add(new Piece(full + "(" + pieces.size() + ":" + item + ")", item));
        }
        return pieces;
    }

    static Spot.Call call(
            Spot boundary,
            String name,
            Flow.Member member,
            Map<String, @Nullable String> arguments,
            List<Spot> parents) {
        return new Spot.Call(
                name,
                member.template(),
                member.inline(),
                arguments,
                boundary,
                member,
                false,
                false,
                boundary.call.exit(),
                parents);
    }

    /** Goes on with a node of a step or task, and with its hooks; whether it is done. */
    static boolean walk(SlowTree tree, Spot spot, Flow.Member member) {
        SlowScope scope = new SlowScope(tree, spot.boundary(), spot, null);
        tree.hooks.look(spot, member.hooks(), scope, spot.phase.text());
        tree.calls.advance(spot);
        tree.hooks.look(spot, member.hooks(), scope, spot.phase.text());
        return spot.settled();
    }

    /**
     * Members are taken in order of declaration: one that has no slot holds up those after it. A
     * group that cannot go on ends when what runs in it is done, and says why until then.
     */
    private void group(Spot spot, Spot group, List<Flow.Member> members) {
        SlowScope scope = new SlowScope(tree, spot, null, null);
        boolean held = false;
        boolean settled = true;
        for (Flow.Member member : members) {
            List<Piece> pieces;
            String full = group.name() + "." + member.name();
            // What was made of the member before is gone on with, whatever its tags are worth now.
            for (Spot child : List.copyOf(group.children)) {
                if (child.call.member() == member) {
                    settled &= walk(tree, child, member);
                }
            }
            if (held || group.message != null) {
                continue;
            }
            if (tree.find(full) == null
                    && tree.slots.failFast(spot, full)
                    && member.loop() == null) {
                held = true;
                continue;
            }
            try {
                pieces = tree.find(full) != null ? List.of() : pieces(full, member, scope);
            } catch (Unfit e) {
                if (tree.slots.failFast(spot, full)) {
                    held = true;
                    continue;
                }
                group.message =
                        e.text().startsWith(NO_LIST)
                                ? e.text()
                                : "failed to resolve references: " + e.text();
                continue;
            }
            if (pieces.isEmpty() && tree.find(full) == null) {
                if (tree.slots.failFast(spot, full)) {
                    held = true;
                    continue;
                }
                Spot made =
                        tree.neverRan(
                                call(spot, full, member, Map.of(), List.of(group)),
                                NodePhase.SKIPPED,
                                "Skipped, empty params");
                settled &= walk(tree, made, member);
            }
            for (Piece piece : pieces) {
                if (held || group.message != null || tree.find(piece.name()) != null) {
                    continue;
                }
                if (tree.slots.failFast(spot, piece.name())) {
                    held = true;
                    continue;
                }
                Spot made = start(spot, group, member, piece, scope);
                if (made == null) {
                    held |= group.message == null;
                } else {
                    settled &= walk(tree, made, member);
                }
            }
        }
        if (settled) {
            assess(spot, group, members, held);
        }
    }

    /** Null if there is no slot, or if the group is doomed, which its message says. */
    private @Nullable Spot start(
            Spot spot, Spot group, Flow.Member member, Piece piece, SlowScope outer) {
        SlowScope scope = piece.item() == null ? outer : outer.withItem(piece.item());
        Spot.Call bare = call(spot, piece.name(), member, Map.of(), List.of(group));
        Map<String, @Nullable String> arguments;
        try {
            String skips = scope.skips(member.when());
            if (skips != null) {
                return tree.neverRan(bare, NodePhase.SKIPPED, skips);
            }
        } catch (Unfit e) {
            group.message = e.text();
            return tree.neverRan(bare, NodePhase.ERROR, e.text());
        }
        try {
            arguments = scope.arguments(member.arguments());
        } catch (Unfit e) {
            group.message = "failed to resolve references: " + e.text();
            return null;
        }
        Spot.Call call = call(spot, piece.name(), member, arguments, List.of(group));
        try {
            return tree.calls.execute(call);
        } catch (Full e) {
            return null;
        } catch (Unfit e) {
            group.message =
                    "step group deemed errored due to child " + call.name() + " error: " + e.text();
            return tree.neverRan(call, NodePhase.ERROR, e.text());
        }
    }

    private void assess(Spot spot, Spot group, List<Flow.Member> members, boolean held) {
        if (group.message != null) {
            tree.finish(group, NodePhase.ERROR, group.message, List.of());
        } else if (spot.template().failFast() && tree.slots.troubled(spot)) {
            tree.finish(group, NodePhase.FAILED, SlowTree.FAIL_FAST, List.of());
        } else if (!held) {
            for (Spot child : group.children) {
                Flow.Member member = Objects.requireNonNull(child.call.member());
                if (child.failed() && !SlowLinks.goesOn(member, child.phase)) {
                    tree.finish(
                            group,
                            NodePhase.FAILED,
                            "child '" + NodeNames.id(SlowTree.NAME, child.name()) + "' failed",
                            List.of());
                    return;
                }
            }
            tree.finish(group, NodePhase.SUCCEEDED, null, List.of());
        }
    }
}
