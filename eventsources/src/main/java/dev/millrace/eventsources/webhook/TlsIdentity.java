package dev.millrace.eventsources.webhook;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A certificate and its key, as the secrets of an entry hold them.
 *
 * @param certificate one or more in PEM, the server's own first
 * @param key in PEM: PKCS#8, or PKCS#1 for RSA
 */
record TlsIdentity(String certificate, String key) {

    /** Of a key store that is never written down. */
    static final String PASSWORD = "in-memory";

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ((?:RSA )?PRIVATE KEY)-----([^-]+)-----END");

    /**
     * {@code SEQUENCE { INTEGER 0, SEQUENCE { OID rsaEncryption, NULL } } }, without the outer tag.
     */
    private static final byte[] RSA_HEADER =
            HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

    /**
     * @throws IllegalArgumentException if one of the two cannot be read
     */
    KeyStore keyStore() {
        try {
            Collection<? extends Certificate> chain =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(
                                    new ByteArrayInputStream(
                                            certificate.getBytes(StandardCharsets.US_ASCII)));
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    "server",
                    privateKey(),
                    PASSWORD.toCharArray(),
                    chain.toArray(Certificate[]::new));
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "serverCertSecret and serverKeySecret do not hold a certificate and its key in PEM: "
                            + e.getMessage(),
                    e);
        }
    }

    private PrivateKey privateKey() throws GeneralSecurityException {
        Matcher pem = KEY.matcher(key);
        if (!pem.find()) {
            throw new InvalidKeySpecException(
                    "no BEGIN PRIVATE KEY or BEGIN RSA PRIVATE KEY in the key's secret");
        }
        byte[] der = Base64.getMimeDecoder().decode(pem.group(2));
        if (pem.group(1).startsWith("RSA")) {
            der = wrapped(der);
        }
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(der);
        try {
            return KeyFactory.getInstance("RSA").generatePrivate(spec);
        } catch (InvalidKeySpecException notRsa) {
            return KeyFactory.getInstance("EC").generatePrivate(spec);
        }
    }

    /** PKCS#1 inside PKCS#8, which is all that the platform reads. */
    private static byte[] wrapped(byte[] pkcs1) {
        byte[] octets = element(0x04, pkcs1);
        byte[] content = new byte[RSA_HEADER.length + octets.length];
        System.arraycopy(RSA_HEADER, 0, content, 0, RSA_HEADER.length);
        System.arraycopy(octets, 0, content, RSA_HEADER.length, octets.length);
        return element(0x30, content);
    }

    private static byte[] element(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 5);
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            out.write(0x82);
            out.write(content.length >> 8);
            out.write(content.length);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    /** The key is no text for logs. */
    @Override
    public String toString() {
        return "TlsIdentity";
    }
}
