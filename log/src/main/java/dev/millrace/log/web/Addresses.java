package dev.millrace.log.web;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Addresses of the web as people write them and as they are shown. */
public final class Addresses {
    private Addresses() {}

    /** With what may not stand in an address escaped, as Go sends it. */
    public static String escaped(String url) {
        StringBuilder all = new StringBuilder(url.length());
        for (byte b : url.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c <= ' ' || c >= 0x7f || "\"<>\\^`{|}".indexOf(c) >= 0) {
                all.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            } else {
                all.append(c);
            }
        }
        return all.toString();
    }

    /** For messages and other servers. */
    public static String withoutPassword(URI uri) {
        String user = uri.getRawUserInfo();
        return user == null ? uri.toString() : uri.toString().replace(user + "@", "");
    }
}
