package dev.orderly.http.acme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.store.KeyValueStore;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.shredzone.acme4j.util.KeyPairUtils;

/** When certificates are requested and renewed, and what failures leave behind. */
class AcmeRenewalTest {
    private static final Duration LIFE = TestIssuer.LIFE;
    private static final List<String> DOMAINS = List.of("shop.example", "www.shop.example");

    @TempDir
    private Path parent = Path.of("");
    private final ManualTime time = new ManualTime();
    private final TestIssuer issuer = new TestIssuer();
    private final KeyValueStore alone = new UnsharedValues(new MemoryStore().keyValues());
    private final List<Instant> requests = new ArrayList<>();
    private @Nullable IssuanceException refusal;

    @Test
    void theFirstCertificateIsRequestedAtOnceAndTheNextWhenAThirdOfItsLifeIsLeft() throws Exception {
        AcmeRenewal renewal = renewal(DOMAINS);
        while (requests.size() < 2) {
            time.advance(renewal.step());
        }
        assertThat(Duration.between(requests.getFirst(), requests.getLast()))
                .isBetween(LIFE.multipliedBy(2).dividedBy(3), LIFE.multipliedBy(2).dividedBy(3).plusSeconds(2));
        assertThat(renewal.faults()).isEmpty();
    }

    @Test
    void aRestartUsesTheCertificateInTheFolder() throws Exception {
        renewal(DOMAINS).step();
        String before = Files.readString(folder().resolve("certificate.pem"));
        AcmeRenewal again = renewal(DOMAINS);
        again.step();
        assertThat(requests).hasSize(1);
        assertThat(again.certificate()).hasContent(before);
    }

    @Test
    void otherDomainsAreRequestedAtOnce() throws Exception {
        renewal(DOMAINS).step();
        renewal(List.of("shop.example")).step();
        assertThat(requests).hasSize(2);
    }

    @Test
    void failuresAreRepeatedAfterGrowingWaitsAndTheCertificateStays() throws Exception {
        AcmeRenewal renewal = renewal(DOMAINS);
        renewal.step();
        String before = Files.readString(renewal.certificate());
        time.advance(LIFE.multipliedBy(2).dividedBy(3).plusSeconds(1));
        refusal = new IssuanceException("No certificate: the authority is away", null, null);

        Duration first = renewal.step();
        assertThat(first).isBetween(Duration.ofMinutes(1), Duration.ofSeconds(66));
        assertThat(renewal.faults()).singleElement().asString().contains("the authority is away");
        Duration last = first;
        for (int i = 0; i < 12; i++) {
            time.advance(last);
            last = renewal.step();
        }
        assertThat(last).isBetween(Duration.ofHours(6), Duration.ofHours(7));
        assertThat(renewal.certificate()).hasContent(before);

        refusal = null;
        time.advance(last);
        renewal.step();
        assertThat(renewal.faults()).isEmpty();
        assertThat(Files.readString(renewal.certificate())).isNotEqualTo(before);
    }

    @Test
    void anAuthorityThatLimitsRequestsIsLeftAloneUntilItsMomentEvenAfterARestart() throws Exception {
        refusal = new IssuanceException("No certificate: too many", time.now().plus(Duration.ofDays(2)), null);
        assertThat(renewal(DOMAINS).step()).isBetween(Duration.ofDays(2), Duration.ofDays(2).plusHours(5));
        refusal = null;
        time.advance(Duration.ofDays(1));
        AcmeRenewal restarted = renewal(DOMAINS);
        restarted.step();
        assertThat(requests).isEmpty();
        assertThat(restarted.faults()).singleElement().asString().contains("too many");
    }

    @Test
    void aRestartRequestsAtOnceAfterAFailure() throws Exception {
        refusal = new IssuanceException("No certificate: wrong name server", null, null);
        renewal(DOMAINS).step();
        refusal = null;
        renewal(DOMAINS).step();
        assertThat(requests).hasSize(1);
    }

    @Test
    void aCertificateStandsInUntilTheFirstIsIssuedAndCountsAsNone() throws Exception {
        AcmeRenewal renewal = renewal(DOMAINS);
        assertThat(Files.readString(renewal.certificate())).contains("BEGIN PRIVATE KEY", "BEGIN CERTIFICATE");
        renewal(DOMAINS).step();
        assertThat(requests).hasSize(1);
    }

    @Test
    void onlyTheUserOfTheProcessMayReadFolderAndFiles() throws Exception {
        AcmeRenewal renewal = renewal(DOMAINS);
        new AcmeFolder(folder()).accountKey(AcmeRenewalTest::accountKey);
        renewal.step();
        assertThat(permissions(folder())).isEqualTo("rwx------");
        assertThat(permissions(folder().resolve("account.pem"))).isEqualTo("rw-------");
        assertThat(permissions(folder().resolve("certificate.pem"))).isEqualTo("rw-------");
        try (var files = Files.list(folder())) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void theAccountKeepsItsKey() throws Exception {
        KeyPair first = new AcmeFolder(folder()).accountKey(AcmeRenewalTest::accountKey);
        KeyPair second = new AcmeFolder(folder()).accountKey(AcmeRenewalTest::accountKey);
        assertThat(second.getPrivate()).isEqualTo(first.getPrivate());
    }

    private static KeyPair accountKey() {
        return KeyPairUtils.createECKeyPair("secp256r1");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private Path folder() {
        return parent.resolve("acme");
    }

    private AcmeRenewal renewal(List<String> domains) throws Exception {
        AcmeOptions options = new AcmeOptions(domains, null, AcmeOptions.LETS_ENCRYPT, null, folder(),
                AcmeChallenge.HTTP_01);
        AcmeRenewal.Places places = AcmeRenewal.Places.of(options, new OpenChallenges(), alone, List::of, time);
        places.folder().standIn(domains, time.now());
        return new AcmeRenewal(options, places, () -> issued(domains), time, new Random(3));
    }

    private IssuedCertificate issued(List<String> domains) throws IssuanceException {
        if (refusal != null) {
            throw refusal;
        }
        requests.add(time.now());
        return issuer.issue(domains, time.now());
    }
}
