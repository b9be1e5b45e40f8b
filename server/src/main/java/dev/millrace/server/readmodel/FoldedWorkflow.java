package dev.millrace.server.readmodel;

import dev.millrace.log.LogRecord;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.workflowengine.state.MutableWorkflowState;
import dev.millrace.workflowengine.state.WorkflowState;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * One workflow that is folded from its transitions once more. It is held in a database without a
 * name, which SQLite keeps in memory as long as it is small, then in a file that goes with it.
 */
public final class FoldedWorkflow implements AutoCloseable {

    /** So many transitions are in memory at once. */
    private static final int PORTION = 500;

    private final Handle handle;
    private final String namespace;
    private final String name;
    private final SqlWorkflowState state;
    private int unwritten;

    private FoldedWorkflow(Handle handle, String namespace, String name) {
        this.handle = handle;
        this.namespace = namespace;
        this.name = name;
        this.state = SqlWorkflowState.load(handle, namespace, name);
    }

    /** Begins with a workflow that was never submitted. */
    public static FoldedWorkflow open(String namespace, String name) {
        SQLiteConfig config = new SQLiteConfig();
        // Nobody else reads it, and nothing of it is needed after a crash.
        config.setJournalMode(SQLiteConfig.JournalMode.OFF);
        config.setSynchronous(SQLiteConfig.SynchronousMode.OFF);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:");
        Handle handle = Jdbi.create(source).open();
        handle.begin();
        Schema.create(handle, "");
        return new FoldedWorkflow(handle, namespace, name);
    }

    /** What transitions are folded into. */
    public MutableWorkflowState state() {
        return state;
    }

    /** The events of a transition were folded into {@link #state}. */
    public void took(LogRecord<WorkflowTransition> record) {
        state.at(Objects.requireNonNull(record.value()).seq(), record.partition(), record.offset());
        if (++unwritten == PORTION) {
            unwritten = 0;
            state.flush();
        }
    }

    /** The workflow as it stands, to be read page by page. */
    public WorkflowState stored() {
        state.flush();
        return new StoredWorkflow(handle, namespace, name);
    }

    @Override
    public void close() {
        handle.rollback();
        handle.close();
    }
}
