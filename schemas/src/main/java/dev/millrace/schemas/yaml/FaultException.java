package dev.millrace.schemas.yaml;

/** Carries a fault out of a recursive descent; never leaves the package. */
final class FaultException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Fault fault;

    FaultException(Fault fault) {
        super(fault.message(), null, false, false);
        this.fault = fault;
    }

    Fault fault() {
        return fault;
    }
}
