package dev.orderly.http.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.resilience.LogLines;
import dev.orderly.testkit.tls.TestAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates in files that change. */
class CertificateFilesTest {
    private final ManualTime time = new ManualTime();
    private final TestAuthority authority = new TestAuthority(time.now());

    @TempDir
    private Path folder = Path.of("");

    @Test
    void newFilesAreUsedOnceTheyRest() throws Exception {
        CertificateFiles files = files();
        TestAuthority.Issued next = authority.issue("next.example");
        Files.writeString(folder.resolve("shop.pem"), next.chainPem());
        files.step();
        assertThat(names(files)).containsExactly("shop.example");
        Files.writeString(folder.resolve("shop.key"), next.keyPem());
        files.step();
        files.step();
        assertThat(names(files)).containsExactly("next.example");
        assertThat(files.faults()).isEmpty();
    }

    @Test
    void filesThatCannotBeUsedChangeNothingAndAreOneLineAndADetailUntilTheyAreMended() throws Exception {
        CertificateFiles files = files();
        try (LogLines lines = LogLines.of("dev.orderly.http.tls")) {
            Files.delete(folder.resolve("shop.key"));
            for (int i = 0; i < 5; i++) {
                files.step();
            }
            assertThat(lines.with("are not used")).singleElement().asString().contains("There is no file");
            assertThat(files.faults()).singleElement().asString().contains("shop.key");
            assertThat(names(files)).containsExactly("shop.example");

            authority.issue("next.example").write(folder, "shop");
            files.step();
            files.step();
        }
        assertThat(files.faults()).isEmpty();
        assertThat(names(files)).containsExactly("next.example");
    }

    @Test
    void aCertificateThatExpiresIsALineADay() throws Exception {
        CertificateFiles files = files();
        try (LogLines lines = LogLines.of("dev.orderly.http.tls")) {
            files.step();
            assertThat(lines.events()).isEmpty();
            time.advance(Duration.ofDays(85));
            files.step();
            files.step();
            assertThat(lines.with("expires in 1")).hasSize(1);
            assertThat(files.faults()).hasSize(1);
            time.advance(Duration.ofDays(6));
            files.step();
            assertThat(lines.with("has expired")).hasSize(1);
        }
    }

    @Test
    void aHandshakeThatHasBegunEndsWithItsOwnCertificateAfterAReplacement() throws Exception {
        CurrentCertificates current = files().current();
        String name = current.choose("shop.example", "EC");
        assertThat(name).isNotNull();
        authority.issue("next.example").write(folder, "next");
        current.replace(new HostCertificates(List.of(CertificateReader.read(
                CertificateSource.pem(folder.resolve("next.pem"), folder.resolve("next.key"))))));
        assertThat(names(current, name)).containsExactly("shop.example");
        assertThat(names(current, current.choose("shop.example", "EC"))).containsExactly("next.example");
        assertThat(current.choose(null, "RSA")).isNull();
    }

    private static List<String> names(CurrentCertificates current, @Nullable String name) {
        ServerCertificate found = current.find(String.valueOf(name));
        return found == null ? List.of() : found.names();
    }

    private CertificateFiles files() throws UnusableCertificateException {
        authority.issue("shop.example").write(folder, "shop");
        return CertificateFiles.read(List.of(CertificateSource.pem(folder.resolve("shop.pem"),
                folder.resolve("shop.key"))), List.of(), time);
    }

    private static List<String> names(CertificateFiles files) {
        return files.current().get().all().getFirst().names();
    }
}
