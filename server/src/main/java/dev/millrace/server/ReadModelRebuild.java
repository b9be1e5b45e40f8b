package dev.millrace.server;

import dev.millrace.log.embedded.DataFolder;
import dev.millrace.server.configuration.Configuration;
import dev.millrace.server.readmodel.EventAnswers;
import dev.millrace.server.readmodel.Projector;
import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.server.readmodel.WorkflowChanges;
import java.nio.file.Path;

/** Makes the read model of a stopped installation anew from its log. */
public final class ReadModelRebuild {

    private ReadModelRebuild() {}

    /**
     * Deletes the file and reads the whole log.
     *
     * @return the file
     * @throws dev.millrace.log.embedded.DataFolderInUseException if a server runs on the folder
     */
    public static Path run(Configuration configuration) {
        try (ClosingStack parts = new ClosingStack()) {
            DataFolder data = parts.add("data folder", DataFolder.claim(configuration.data()));
            LogPart log = parts.add("broker", LogPart.start(data, configuration));
            Path file = data.path().resolve(MillraceServer.READ_MODEL);
            ReadModel.delete(file);
            ReadModel model = parts.add("read model", ReadModel.open(file, log.id()));
            Projector projector =
                    parts.add(
                            "projector",
                            Projector.start(
                                    log.connection(),
                                    model,
                                    new WorkflowChanges(),
                                    new EventAnswers()));
            projector.caughtUp().join();
            return file;
        }
    }
}
