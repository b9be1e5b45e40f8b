package dev.millrace.cli.view;

/** Whether lines carry colours: ANSI sequences on a terminal, nothing elsewhere. */
public enum Style {
    PLAIN,
    COLOURED;

    /** The colours in use, as ANSI foreground codes. */
    public enum Colour {
        RED(31),
        GREEN(32),
        YELLOW(33),
        BLUE(34),
        MAGENTA(35),
        CYAN(36),
        GREY(90);

        private final int code;

        Colour(int code) {
            this.code = code;
        }
    }

    /** The text in a colour. */
    public String paint(Colour colour, String text) {
        return switch (this) {
            case PLAIN -> text;
            case COLOURED -> "\u001b[" + colour.code + "m" + text + "\u001b[0m";
        };
    }
}
