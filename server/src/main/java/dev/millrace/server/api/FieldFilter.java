package dev.millrace.server.api;

import dev.millrace.schemas.Json;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.filter.FilteringGeneratorDelegate;
import tools.jackson.core.filter.TokenFilter;
import tools.jackson.databind.JsonNode;

/**
 * The {@code fields} parameter: a comma list of paths to keep ({@code items.metadata.name}), or,
 * with a minus in front, to leave out ({@code -items.status.nodes}). Lists on the way are passed
 * through.
 */
final class FieldFilter {

    private final Branch paths;
    private final TokenFilter filter;

    /** A tree of path segments; an empty one stands for everything below. */
    private record Branch(Map<String, Branch> children) {
        Branch() {
            this(new TreeMap<>());
        }

        void add(List<String> path) {
            Branch branch = this;
            for (int i = 0; i < path.size(); i++) {
                Branch known = branch.children.get(path.get(i));
                // A shorter path that is there already keeps all below it.
                if (known != null && known.children.isEmpty()) {
                    return;
                }
                branch = branch.children.computeIfAbsent(path.get(i), _ -> new Branch());
            }
            branch.children.clear();
        }
    }

    private FieldFilter(boolean exclude, Branch paths) {
        this.paths = paths;
        this.filter = exclude ? new Without(paths) : new With(paths);
    }

    /** Reads the parameter; an empty one keeps everything. */
    static FieldFilter parse(String fields) {
        Branch paths = new Branch();
        boolean exclude = fields.startsWith("-");
        for (String field : (exclude ? fields.substring(1) : fields).split(",", -1)) {
            if (!field.isBlank()) {
                paths.add(new ArrayList<>(List.of(field.strip().split("\\."))));
            }
        }
        return new FieldFilter(exclude, paths);
    }

    /** Whether there is nothing to filter. */
    boolean keepsAll() {
        return paths.children().isEmpty();
    }

    /** Whether anything at a path is kept. */
    boolean keeps(String... path) {
        TokenFilter at = keepsAll() ? TokenFilter.INCLUDE_ALL : filter;
        for (String name : path) {
            if (at == null || at == TokenFilter.INCLUDE_ALL) {
                break;
            }
            at = at.includeProperty(name);
        }
        return at != null;
    }

    /** Writes to {@code out} what is kept of what is written to it; closing it closes both. */
    JsonGenerator filtering(JsonGenerator out) {
        return keepsAll()
                ? out
                : new FilteringGeneratorDelegate(
                        out, filter, TokenFilter.Inclusion.INCLUDE_ALL_AND_PATH, true);
    }

    /** The filtered copy of a tree; the tree itself if there is nothing to filter. */
    JsonNode apply(JsonNode tree) {
        if (keepsAll()) {
            return tree;
        }
        StringWriter kept = new StringWriter();
        try (JsonGenerator out = filtering(Json.mapper().createGenerator(kept))) {
            out.writeTree(tree);
        }
        return Json.mapper().readTree(kept.toString());
    }

    /** What is on a path is kept, even if nothing is left in it. */
    private abstract static class Paths extends TokenFilter {
        @Override
        public boolean includeEmptyObject(boolean contentsFiltered) {
            return true;
        }

        @Override
        public boolean includeEmptyArray(boolean contentsFiltered) {
            return true;
        }
    }

    /** Keeps what is on the paths, and all that is behind their ends. */
    private static final class With extends Paths {
        private final Branch branch;

        With(Branch branch) {
            this.branch = branch;
        }

        @Override
        public @Nullable TokenFilter includeProperty(String name) {
            Branch below = branch.children().get(name);
            if (below == null) {
                return null;
            }
            return below.children().isEmpty() ? INCLUDE_ALL : new With(below);
        }
    }

    /** Leaves out what is behind the ends of the paths. */
    private static final class Without extends Paths {
        private final Branch branch;

        Without(Branch branch) {
            this.branch = branch;
        }

        @Override
        public @Nullable TokenFilter includeProperty(String name) {
            Branch below = branch.children().get(name);
            if (below == null) {
                return INCLUDE_ALL;
            }
            return below.children().isEmpty() ? null : new Without(below);
        }
    }
}
