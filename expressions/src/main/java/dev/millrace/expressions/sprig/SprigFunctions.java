package dev.millrace.expressions.sprig;

import dev.millrace.expressions.expr.value.GoFunction;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** All functions of Sprig that expressions may call, by name. */
public final class SprigFunctions {

    /**
     * Functions that make certificates and passwords or look names up; calling one is an error of
     * the expression.
     */
    public static final Set<String> LEFT_OUT =
            Set.of(
                    "bcrypt",
                    "htpasswd",
                    "derivePassword",
                    "genPrivateKey",
                    "buildCustomCert",
                    "genCA",
                    "genCAWithKey",
                    "genSelfSignedCert",
                    "genSelfSignedCertWithKey",
                    "genSignedCert",
                    "genSignedCertWithKey",
                    "encryptAES",
                    "decryptAES",
                    "getHostByName");

    private SprigFunctions() {}

    /**
     * The functions, without {@code env} and {@code expandenv}, which would show the server's own
     * environment.
     *
     * @param clock what {@code now} and {@code ago} read
     * @param random what the functions of chance draw from
     */
    public static Map<String, GoFunction> all(InstantSource clock, RandomGenerator random) {
        Map<String, SprigFunction> table = new HashMap<>();
        TextFunctions.addTo(table);
        CaseFunctions.addTo(table);
        NumberFunctions.addTo(table);
        DateFunctions.addTo(table, clock);
        ListFunctions.addTo(table);
        DictFunctions.addTo(table);
        ValueFunctions.addTo(table);
        EncodingFunctions.addTo(table);
        PatternFunctions.addTo(table);
        PathFunctions.addTo(table);
        VersionFunctions.addTo(table);
        RandomFunctions.addTo(table, random);
        Map<String, GoFunction> functions = new HashMap<>();
        table.forEach(
                (name, body) ->
                        functions.put(name, values -> body.call(new Arguments(name, values))));
        return Map.copyOf(functions);
    }
}
