package dev.millrace.log.secrets;

import dev.millrace.log.Secrets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Secrets that can be changed: what {@code kind: Secret} is written to. */
public interface SecretStore extends Secrets {

    /** Replaces a secret. Values are text, decoded already. */
    void put(String namespace, String name, Map<String, String> data);

    /** Deletes a secret; nothing happens if there is none. */
    void delete(String namespace, String name);

    /** Names of the secrets of a namespace, in order. Names are no secrets. */
    Set<String> names(String namespace);

    /** The keys of a secret, in order; empty if there is no such secret. */
    Optional<Set<String>> keys(String namespace, String name);
}
