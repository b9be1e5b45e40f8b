package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalAccessTest {

    private final LocalAccess local = new LocalAccess(Set.of("build.example"), null);
    private final LocalAccess open = new LocalAccess(Set.of(), "t0ken");

    @ParameterizedTest
    @CsvSource({
        "localhost:2746,true",
        "LOCALHOST,true",
        "127.0.0.1:2746,true",
        "[::1]:2746,true",
        "[::1],true",
        "build.example:80,true",
        "evil.example:2746,false",
        "localhost.evil.example,false",
        "127.0.0.1.evil.example,false",
        "10.1.2.3:2746,false",
        "'',false"
    })
    void answersToItsOwnNamesOnly(String host, boolean allowed) {
        assertThat(local.host(host) == null).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3:2746,true",
        "[fe80::1]:2746,true",
        "localhost,true",
        "evil.example,false"
    })
    void answersToAddressesWhereItListensBeyondTheMachine(String host, boolean allowed) {
        assertThat(open.host(host) == null).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "none,true",
                "http://localhost:2746,true",
                "https://localhost:2746,true",
                "http://localhost:8080,false",
                "http://evil.example,false",
                "null,false"
            })
    void pagesOfOtherOriginsMayNotUseIt(String origin, boolean allowed) {
        assertThat(local.origin(origin, "localhost:2746") == null).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "POST,none,true",
                "POST,application/json,true",
                "PUT,application/json; charset=utf-8,true",
                "POST,application/merge-patch+json,true",
                "POST,application/yaml,true",
                "POST,text/yaml,true",
                "POST,text/plain,false",
                "POST,TEXT/PLAIN;charset=UTF-8,false",
                "PUT,application/x-www-form-urlencoded,false",
                "POST,multipart/form-data; boundary=x,false",
                "GET,text/plain,true"
            })
    void formsOfPagesAreNoBodies(String method, String contentType, boolean allowed) {
        assertThat(local.contentType(method, contentType) == null).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "none,false",
                "Bearer t0ken,true",
                "Bearer t0ke,false",
                "t0ken,false",
                "bearer t0ken,false"
            })
    void theTokenMustBeRight(String authorization, boolean allowed) {
        assertThat(open.token(authorization) == null).isEqualTo(allowed);
        assertThat(local.token(authorization)).isNull();
    }
}
