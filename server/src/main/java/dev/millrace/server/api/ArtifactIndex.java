package dev.millrace.server.api;

import java.net.URLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Locale;
import java.util.TreeSet;

/** How artifacts are shown: the page of a folder, names and types of files. */
final class ArtifactIndex {
    private ArtifactIndex() {}

    /**
     * A page with a link to each file and folder.
     *
     * @param files paths of all files below the folder
     */
    static String page(String title, Collection<String> files) {
        TreeSet<String> entries = new TreeSet<>();
        for (String file : files) {
            int slash = file.indexOf('/');
            entries.add(slash < 0 ? file : file.substring(0, slash + 1));
        }
        StringBuilder page = new StringBuilder();
        page.append("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>")
                .append(text(title))
                .append("</title></head>\n<body><ul>\n<li><a href=\"..\">..</a></li>\n");
        for (String entry : entries) {
            page.append("<li><a href=\"./")
                    .append(href(entry))
                    .append("\">")
                    .append(text(entry))
                    .append("</a></li>\n");
        }
        return page.append("</ul></body></html>\n").toString();
    }

    private static String href(String entry) {
        boolean folder = entry.endsWith("/");
        String name = folder ? entry.substring(0, entry.length() - 1) : entry;
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        return folder ? encoded + "/" : encoded;
    }

    private static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** The header that names a file; nothing in the name ends it early. */
    static String disposition(String file) {
        String plain = file.replaceAll("[^\\x20-\\x7e]|[\"\\\\]", "_");
        String header = "filename=\"" + plain + "\"";
        return plain.equals(file)
                ? header
                : header
                        + "; filename*=UTF-8''"
                        + URLEncoder.encode(file, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The type of a file by the end of its name. */
    static String type(String file) {
        String end = file.substring(file.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return switch (end) {
            case "log", "txt", "md", "yaml", "yml" -> "text/plain; charset=utf-8";
            case "html", "htm" -> "text/html; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "json" -> "application/json";
            case "svg" -> "image/svg+xml";
            case "tgz", "gz" -> "application/gzip";
            default -> {
                String known = URLConnection.guessContentTypeFromName(file);
                yield known == null ? "application/octet-stream" : known;
            }
        };
    }
}
