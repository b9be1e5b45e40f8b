package dev.millrace.schemas.yaml;

import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.Schema;

/**
 * Composes nodes without resolving scalars (a plain one without a tag gets {@link #UNRESOLVED}) and
 * stops at a depth, since the library's composer recurses and deep nesting would overflow the
 * stack.
 */
final class BoundedComposer extends Composer {

    static final Tag UNRESOLVED = new Tag("tag:millrace.dev,2026:unresolved");

    private final String source;
    private final int maxDepth;
    private int depth;

    BoundedComposer(String source, String text, YamlLimits limits) {
        this(source, limits.depth(), settings(source), text);
    }

    private BoundedComposer(String source, int maxDepth, LoadSettings settings, String text) {
        super(settings, new ParserImpl(settings, new StreamReader(settings, text)));
        this.source = source;
        this.maxDepth = maxDepth;
    }

    @Override
    protected SequenceNode composeSequenceNode(Optional<Anchor> anchor) {
        enter();
        SequenceNode node = super.composeSequenceNode(anchor);
        depth--;
        return node;
    }

    @Override
    protected Node composeMappingNode(Optional<Anchor> anchor) {
        enter();
        Node node = super.composeMappingNode(anchor);
        depth--;
        return node;
    }

    private void enter() {
        if (++depth > maxDepth) {
            Place place =
                    parser.peekEvent()
                            .getStartMark()
                            .map(this::place)
                            .orElse(new Place(source, 1, 1));
            throw new FaultException(
                    new Fault(
                            place,
                            DocumentPath.ROOT,
                            "nested deeper than " + maxDepth + " levels",
                            "flatten the document"));
        }
    }

    private Place place(Mark mark) {
        return new Place(source, mark.getLine() + 1, mark.getColumn() + 1);
    }

    private static LoadSettings settings(String source) {
        return LoadSettings.builder()
                .setLabel(source)
                .setUseMarks(true)
                .setSchema(new Unresolving())
                .setAllowNonScalarKeys(true)
                .setAllowDuplicateKeys(true)
                .setCodePointLimit(Integer.MAX_VALUE)
                .setMaxAliasesForCollections(Integer.MAX_VALUE)
                .build();
    }

    private record Unresolving() implements Schema {
        @Override
        public ScalarResolver getScalarResolver() {
            return (value, implicit) -> Boolean.TRUE.equals(implicit) ? UNRESOLVED : Tag.STR;
        }

        @Override
        public Map<Tag, ConstructNode> getSchemaTagConstructors() {
            return Map.of();
        }
    }
}
