package dev.millrace.schemas.yaml;

import java.util.List;

/**
 * What a text held. After a fault of syntax the documents before it are still here; a caller that
 * wants all or nothing looks at the faults first.
 *
 * @param faults what kept documents from being read
 */
public record Documents(List<Document> documents, List<Fault> faults) {

    public Documents {
        documents = List.copyOf(documents);
        faults = List.copyOf(faults);
    }
}
