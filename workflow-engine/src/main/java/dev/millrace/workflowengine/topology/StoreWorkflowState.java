package dev.millrace.workflowengine.topology;

import dev.millrace.log.stream.EntityStore;
import dev.millrace.log.stream.EntryType;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.SourceParts;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.workflowengine.state.MutableWorkflowState;
import dev.millrace.workflowengine.state.NodeLists;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One workflow in the store, entry by entry. An entry is read when it is asked for; changes stay
 * here until {@link #flush()}, so that an entry that a transition changes five times is written
 * once.
 */
final class StoreWorkflowState implements MutableWorkflowState {
    static final EntryType<WorkflowHead> HEAD = EntryType.of("head", WorkflowHead.class);
    static final EntryType<String> SOURCE = EntryType.of("source", String.class);
    static final EntryType<Node> NODE = EntryType.of("node", Node.class);
    static final EntryType<Boolean> OPEN = EntryType.of("open", Boolean.class);

    /**
     * A deletion takes the first nodes again and again until none is left; listing all of them each
     * time would make it quadratic. More than the core removes at a time.
     */
    private static final int NODES_LISTED_WHILE_DELETING = 1_000;

    /** Stands in the place of a source that is too large for one entry. */
    private static final String IN_PARTS = "parts:";

    private final EntityStore store;
    private final EntryKeys keys;
    private final RecentSources sources;
    private final String entity;

    private @Nullable WorkflowHead head;
    private boolean headChanged;
    private @Nullable WorkflowSource source;
    private boolean sourceLoaded;
    private boolean sourceChanged;

    /** Changed nodes; empty for removed ones. */
    private final Map<String, Optional<Node>> changed = new LinkedHashMap<>();

    private final Map<String, List<String>> appended = new LinkedHashMap<>();

    /** Nodes whose stored children are gone. */
    private final Set<String> cleared = new LinkedHashSet<>();

    StoreWorkflowState(EntityStore store, EntryKeys keys, RecentSources sources, String entity) {
        this.store = store;
        this.keys = keys;
        this.sources = sources;
        this.entity = entity;
        this.head = store.get(entity, HEAD, "").orElse(null);
    }

    @Override
    public @Nullable WorkflowHead head() {
        return head;
    }

    @Override
    public @Nullable WorkflowSource source() {
        if (!sourceLoaded) {
            source = head == null ? null : stored(head.uid());
            sourceLoaded = true;
        }
        return source;
    }

    private @Nullable WorkflowSource stored(String uid) {
        WorkflowSource recent = sources.get(entity, uid);
        if (recent != null) {
            return recent;
        }
        String text = store.get(entity, SOURCE, "").orElse(null);
        if (text == null) {
            return null;
        }
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < parts(text); i++) {
            parts.add(store.get(entity, SOURCE, part(i)).orElseThrow());
        }
        WorkflowSource read =
                parts.isEmpty()
                        ? Json.mapper().readValue(text, WorkflowSource.class)
                        : SourceParts.join(parts);
        sources.put(entity, uid, read, size(text, parts));
        return read;
    }

    /** In how many parts the source lies, by what stands in its place; 0 if it is there itself. */
    private static int parts(@Nullable String text) {
        return text != null && text.startsWith(IN_PARTS)
                ? Integer.parseInt(text.substring(IN_PARTS.length()))
                : 0;
    }

    private static String part(int index) {
        return "%06d".formatted(index);
    }

    private static long size(String text, List<String> parts) {
        return text.length() + parts.stream().mapToLong(String::length).sum();
    }

    @Override
    public @Nullable Node node(String id) {
        Optional<Node> change = changed.get(id);
        return change != null ? change.orElse(null) : store.get(entity, NODE, id).orElse(null);
    }

    @Override
    public List<String> children(String id) {
        List<String> known = cleared.contains(id) ? List.of() : ChildLists.read(store, entity, id);
        List<String> more = appended.get(id);
        if (more == null) {
            return known;
        }
        List<String> all = new ArrayList<>(known);
        all.addAll(more);
        return all;
    }

    @Override
    public int childCount(String id) {
        return known(id) + appended.getOrDefault(id, List.of()).size();
    }

    private int known(String id) {
        return cleared.contains(id) ? 0 : ChildLists.count(store, entity, id);
    }

    @Override
    public List<String> children(String id, int from, int atMost) {
        List<String> page =
                cleared.contains(id) ? List.of() : ChildLists.page(store, entity, id, from, atMost);
        return NodeLists.page(page, known(id), appended.get(id), from, atMost);
    }

    @Override
    public List<String> openNodes(String after, int atMost) {
        TreeSet<String> open =
                new TreeSet<>(keys.ids(entity, OPEN, after, atMost + changed.size()));
        changed.forEach(
                (id, node) -> {
                    boolean isOpen = node.isPresent() && !node.get().ended();
                    if (isOpen && id.compareTo(after) > 0) {
                        open.add(id);
                    } else {
                        open.remove(id);
                    }
                });
        return open.stream().limit(atMost).toList();
    }

    @Override
    public List<String> openNodes() {
        TreeSet<String> open = new TreeSet<>(keys.ids(entity, OPEN, Integer.MAX_VALUE));
        changed.forEach(
                (id, node) -> {
                    if (node.isPresent() && !node.get().ended()) {
                        open.add(id);
                    } else {
                        open.remove(id);
                    }
                });
        return List.copyOf(open);
    }

    /** Ids of all nodes in order; while the workflow is being deleted, only the first 1,000. */
    @Override
    public List<String> nodes() {
        boolean deleting = head != null && head.stage() == WorkflowStage.DELETING;
        int atMost = deleting ? NODES_LISTED_WHILE_DELETING + changed.size() : Integer.MAX_VALUE;
        TreeSet<String> all = new TreeSet<>(keys.ids(entity, NODE, atMost));
        changed.forEach(
                (id, node) -> {
                    if (node.isPresent()) {
                        all.add(id);
                    } else {
                        all.remove(id);
                    }
                });
        return List.copyOf(all);
    }

    @Override
    public List<String> nodes(String after, int atMost) {
        TreeSet<String> some =
                new TreeSet<>(keys.ids(entity, NODE, after, atMost + changed.size()));
        changed.forEach(
                (id, node) -> {
                    if (node.isEmpty()) {
                        some.remove(id);
                    } else if (id.compareTo(after) > 0) {
                        some.add(id);
                    }
                });
        return some.stream().limit(atMost).toList();
    }

    @Override
    public void putHead(WorkflowHead head) {
        this.head = head;
        headChanged = true;
    }

    @Override
    public void putSource(@Nullable WorkflowSource source) {
        this.source = source;
        sourceLoaded = true;
        sourceChanged = true;
    }

    @Override
    public void putNode(Node node) {
        changed.put(node.id(), Optional.of(node));
    }

    @Override
    public void addChildren(String parentId, List<String> children) {
        appended.computeIfAbsent(parentId, _ -> new ArrayList<>()).addAll(children);
    }

    @Override
    public void removeChildren(String parentId, List<String> gone) {
        if (gone.isEmpty()) {
            cleared.add(parentId);
            appended.remove(parentId);
            return;
        }
        List<String> left = new ArrayList<>(children(parentId));
        Set<String> known = Set.copyOf(gone);
        left.removeIf(known::contains);
        cleared.add(parentId);
        appended.put(parentId, left);
    }

    @Override
    public void removeNode(String id) {
        changed.put(id, Optional.empty());
        appended.remove(id);
        cleared.add(id);
    }

    /** Puts the changes into the store's turn. The state is of no use afterwards. */
    void flush() {
        cleared.forEach(id -> ChildLists.clear(store, entity, id));
        changed.forEach(this::flushNode);
        appended.forEach(
                (parent, ids) -> {
                    if (!ids.isEmpty()) {
                        ChildLists.append(store, entity, parent, ids);
                    }
                });
        if (sourceChanged) {
            flushSource(Objects.requireNonNull(head, "a source without a head").uid());
        }
        if (headChanged && head != null) {
            store.put(entity, HEAD, "", head);
        }
    }

    private void flushNode(String id, Optional<Node> change) {
        Node before = store.get(entity, NODE, id).orElse(null);
        boolean wasOpen = before != null && !before.ended();
        boolean isOpen = change.isPresent() && !change.get().ended();
        if (change.isPresent()) {
            store.put(entity, NODE, id, change.get());
        } else if (before != null) {
            store.delete(entity, NODE, id);
        }
        if (isOpen && !wasOpen) {
            store.put(entity, OPEN, id, true);
        } else if (wasOpen && !isOpen) {
            store.delete(entity, OPEN, id);
        }
    }

    private void flushSource(String uid) {
        int before = parts(store.get(entity, SOURCE, "").orElse(null));
        List<String> parts = List.of();
        if (source == null) {
            store.delete(entity, SOURCE, "");
            sources.remove(entity, uid);
        } else {
            String text = Json.mapper().writeValueAsString(source);
            if (text.length() > SourceParts.LARGEST_VALUE / 2) {
                parts = SourceParts.split(source);
                text = IN_PARTS + parts.size();
            }
            store.put(entity, SOURCE, "", text);
            sources.put(entity, uid, source, size(text, parts));
        }
        for (int i = 0; i < parts.size(); i++) {
            store.put(entity, SOURCE, part(i), parts.get(i));
        }
        for (int i = parts.size(); i < before; i++) {
            store.delete(entity, SOURCE, part(i));
        }
    }
}
