package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.yaml.DocumentPath;

/**
 * A place in the manifest that is checked. What stands in a referenced object has the place of the
 * reference.
 *
 * @param own whether the thing itself stands in the manifest
 */
record Where(DocumentPath path, boolean own) {
    static final Where ROOT = new Where(DocumentPath.ROOT, true);

    Where key(String name) {
        return own ? new Where(path.key(name), true) : this;
    }

    Where index(int position) {
        return own ? new Where(path.index(position), true) : this;
    }

    /** The place of everything that this reference leads to. */
    Where reference() {
        return new Where(path, false);
    }
}
