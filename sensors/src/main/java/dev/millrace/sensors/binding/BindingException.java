package dev.millrace.sensors.binding;

/** An expression of a binding has no usable value for this event; caught within the package. */
final class BindingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BindingException(String message) {
        super(message, null, false, false);
    }
}
