package dev.orderly.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.testkit.tls.TestAuthority;
import dev.orderly.testkit.tls.TestAuthority.Issued;
import dev.orderly.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates and keys from files. */
class CertificateReaderTest {
    private static final Instant NOW = Time.system().now();
    private static final TestAuthority AUTHORITY = new TestAuthority(NOW);
    private static final Issued SHOP = AUTHORITY.issue("shop.example", "*.shop.example");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aChainAndItsKeyAreReadFromTwoFilesOrOne() throws Exception {
        List<Path> files = SHOP.write(folder, "shop");
        ServerCertificate two = CertificateReader.read(CertificateSource.pem(files.getFirst(), files.getLast()));
        Path both = Files.writeString(folder.resolve("both.pem"), "a line\n" + SHOP.keyPem() + SHOP.chainPem());
        ServerCertificate one = CertificateReader.read(new CertificateSource(both, null, CertificatePassword.NONE));

        assertThat(two.chain()).hasSize(2).isEqualTo(one.chain());
        assertThat(two.names()).containsExactly("shop.example", "*.shop.example");
        assertThat(two.toString()).doesNotContain(two.key().toString());
    }

    @Test
    void theCertificatesMayBeInAnyOrder() throws Exception {
        List<String> pems = Arrays.stream(SHOP.chainPem().split("(?<=-----END CERTIFICATE-----)")).toList();
        Path turned = write("turned.pem", AUTHORITY.pem() + pems.get(1) + "\n" + pems.get(0));
        ServerCertificate read = CertificateReader.read(CertificateSource.pem(turned, key(SHOP.keyPem())));
        assertThat(read.chain()).hasSize(3);
        assertThat(read.chain().getFirst()).isEqualTo(SHOP.bundle().getCertificate());
    }

    @Test
    void traditionalKeysAreRead() throws Exception {
        Issued rsa = AUTHORITY.issue(TestKeys.rsa(0), "rsa.example");
        for (Issued issued : List.of(SHOP, rsa)) {
            PrivateKey key = issued.bundle().getKeyPair().getPrivate();
            String pem = "-----BEGIN " + key.getAlgorithm() + " PRIVATE KEY-----\n"
                    + Base64.getMimeEncoder().encodeToString(inner(key.getEncoded())) + "\n-----END "
                    + key.getAlgorithm() + " PRIVATE KEY-----\n";
            Path certificate = write("some.pem", issued.chainPem());
            assertThat(CertificateReader.read(CertificateSource.pem(certificate, key(pem))).chain()).hasSize(2);
        }
    }

    /** The traditional form of a PKCS#8 key: the content of its last element. */
    private static byte[] inner(byte[] pkcs8) {
        int at = body(pkcs8, 0);
        at = end(pkcs8, end(pkcs8, at)); // after version and algorithm
        return Arrays.copyOfRange(pkcs8, body(pkcs8, at), end(pkcs8, at));
    }

    private static int body(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        return at + 2 + (first < 0x80 ? 0 : first - 0x80);
    }

    private static int end(byte[] der, int at) {
        int length = der[at + 1] & 0xff;
        if (length >= 0x80) {
            int bytes = length - 0x80;
            length = 0;
            for (int i = 0; i < bytes; i++) {
                length = (length << 8) | (der[at + 2 + i] & 0xff);
            }
        }
        return body(der, at) + length;
    }

    @Test
    void pkcs12IsReadWithAPasswordFromAFile() throws Exception {
        Path file = SHOP.writePkcs12(folder.resolve("shop.p12"), "sesame");
        Path password = write("password", "sesame\n");
        assertThat(CertificateReader.read(CertificateSource.pkcs12(file, new CertificatePassword.InFile(password)))
                .chain()).hasSize(2);
        refuses(CertificateSource.pkcs12(file, new CertificatePassword.Text("open")), "The password of " + file
                + " is wrong");
    }

    @Test
    void eachFaultNamesTheFileAndTheRemedy() throws Exception {
        Path good = write("shop.pem", SHOP.chainPem());
        Path other = key(AUTHORITY.issue("other.example").keyPem());
        refuses(CertificateSource.pem(folder.resolve("none.pem"), other), "There is no file", "none.pem", "path");
        refuses(CertificateSource.pem(good, other), "The key does not belong to the certificate in " + good,
                "openssl pkey -pubout");
        refuses(CertificateSource.pem(good, key(AUTHORITY.issue(TestKeys.rsa(0), "a").keyPem())), "another kind");
        refuses(CertificateSource.pem(good, good), good + " has no private key");
        refuses(CertificateSource.pem(other, other), other + " has no certificate");
        refuses(CertificateSource.pem(write("text", "hello"), other), "has no certificate");
        refuses(CertificateSource.pem(good, write("cut.key", SHOP.keyPem().replaceAll("[A-Z]{4}", "A"))), "cut.key");
        refuses(CertificateSource.pem(good,
                write("locked.key", SHOP.keyPem().replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY"))),
                "is encrypted", "openssl pkey -in");
        refuses(CertificateSource.pem(good, write("traditional.key", """
                -----BEGIN RSA PRIVATE KEY-----
                Proc-Type: 4,ENCRYPTED
                DEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF

                AAAA
                -----END RSA PRIVATE KEY-----
                """)), "is encrypted", "openssl pkey -in");
        refuses(CertificateSource.pem(good, write("damaged.key", """
                -----BEGIN RSA PRIVATE KEY-----
                AAAA
                -----END RSA PRIVATE KEY-----
                """)), "RSA PRIVATE KEY of another kind");
        refuses(CertificateSource.pem(good, write("garbled.key", """
                -----BEGIN PRIVATE KEY-----
                %%%%
                -----END PRIVATE KEY-----
                """)), "garbled.key", "Base64", "replace the file");
        refuses(CertificateSource.pem(write("half.pem", SHOP.chainPem().substring(0, 200)), other), "half.pem",
                "cut off");
        Path der = Files.write(folder.resolve("shop.der"), SHOP.bundle().getCertificate().getEncoded());
        refuses(new CertificateSource(der, null, CertificatePassword.NONE), "neither PEM nor PKCS#12", "-inform der");
    }

    @Test
    void whatClientsWillObjectToIsAWarning() {
        HostCertificates past = hosts(AUTHORITY.issue(NOW.minus(Duration.ofDays(9)), NOW.minus(Duration.ofDays(1)),
                "old.example"));
        HostCertificates future = hosts(AUTHORITY.issue(NOW.plus(Duration.ofDays(1)), NOW.plus(Duration.ofDays(9)),
                "new.example"));
        assertThat(warnings(past)).anyMatch(line -> line.contains("old.example") && line.contains("has expired"));
        assertThat(warnings(future)).anyMatch(line -> line.contains("is not valid before"));
        assertThat(warnings(hosts(SHOP))).singleElement().asString().contains("is incomplete", "Test root");
        assertThat(CertificateCheck.warnings(hosts(SHOP), List.of("a.shop.example", "a.b.shop.example"), NOW))
                .anyMatch(line -> line.contains("No certificate is for a.b.shop.example, so"));
        assertThat(CertificateCheck.warnings(hosts(AUTHORITY.issue()), List.of(), NOW))
                .anyMatch(line -> line.contains("names no host"));
    }

    private static List<String> warnings(HostCertificates certificates) {
        return CertificateCheck.warnings(certificates, List.of(), NOW);
    }

    private HostCertificates hosts(Issued issued) {
        try {
            List<Path> files = issued.write(folder, "some");
            return new HostCertificates(
                    List.of(CertificateReader.read(CertificateSource.pem(files.getFirst(), files.getLast()))));
        } catch (UnusableCertificateException e) {
            throw new AssertionError(e);
        }
    }

    private static void refuses(CertificateSource source, String... parts) {
        assertThatThrownBy(() -> CertificateReader.read(source)).isInstanceOf(UnusableCertificateException.class)
                .hasMessageContainingAll(parts);
    }

    private Path key(String pem) throws Exception {
        return write("some.key", pem);
    }

    private Path write(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }
}
