package dev.orderly.http.acme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.acme.OpenChallenges.Answers;
import dev.orderly.http.tls.TestKeys;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoredValue;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.shredzone.acme4j.util.KeyPairUtils;

/** Nodes of one store request one certificate among them. */
class SharedRenewalTest {
    private static final List<String> DOMAINS = List.of("shop.example", "www.shop.example");
    private static final SecretKey SECRET = new SecretKeySpec(new byte[32], "AES");
    private static final SecretKey OTHER = new SecretKeySpec("another secret of thirty-two by.".getBytes(
            java.nio.charset.StandardCharsets.US_ASCII), "AES");
    private static final Duration TWO_THIRDS = TestIssuer.LIFE.multipliedBy(2).dividedBy(3);

    @TempDir
    private Path parent = Path.of("");
    private final ManualTime time = new ManualTime();
    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final List<String> requests = new ArrayList<>();
    private final TestIssuer issuer = new TestIssuer();

    @Test
    void oneNodeRequestsAndAllTakeTheCertificate() throws Exception {
        Node one = node("one", SECRET);
        Node two = node("two", SECRET);
        one.renewal.step();
        two.renewal.step();
        assertThat(requests).containsExactly("one");
        assertThat(two.file()).isEqualTo(one.file()).contains("PRIVATE KEY");

        time.advance(TWO_THIRDS.plusSeconds(2));
        two.renewal.step();
        one.renewal.step();
        assertThat(requests).containsExactly("one", "two");
        assertThat(one.file()).isEqualTo(two.file());
    }

    @Test
    void whileANodeRequestsEveryOtherAnswersItsChallengesAndRequestsNothing() throws Exception {
        Node two = node("two", SECRET);
        Node one = node("one", SECRET);
        one.beforeIssue = () -> {
            assertThat(one.places.lease().publish(new Answers(Map.of("token", "answer"),
                    Map.of("shop.example", Answers.text(new byte[32]))))).isTrue();
            assertThat(two.renewal.step()).isLessThanOrEqualTo(AcmeRenewal.POLL);
            assertThat(two.places.challenges().answer(OpenChallenges.PATH + "token")).contains("answer");
            assertThat(two.places.challenges().find("shop.example")).isPresent();
        };
        one.renewal.step();
        two.renewal.step();
        assertThat(requests).containsExactly("one");
        assertThat(two.places.challenges().answer(OpenChallenges.PATH + "token")).isEmpty();
        assertThat(two.places.challenges().isOpen()).isFalse();
        assertThat(one.places.challenges().isOpen()).isFalse();
    }

    @Test
    void afterTheDeathOfTheRequestingNodeAnotherRequests() throws Exception {
        Node one = node("one", SECRET);
        Node two = node("two", SECRET);
        one.places.lease().read();
        assertThat(one.places.lease().take()).isTrue();
        two.renewal.step();
        assertThat(requests).isEmpty();
        time.advance(RenewalLease.LEASE);
        two.renewal.step();
        assertThat(requests).containsExactly("two");
        assertThat(one.places.lease().publish(Answers.NONE)).as("a lease that is over").isFalse();
    }

    @Test
    void aNodeThatJoinsBeginsWithTheCertificateOfTheOthers() throws Exception {
        Node one = node("one", SECRET);
        one.renewal.step();
        AcmeRenewal joined = AcmeRenewal.of(options("two"), new OpenChallenges(), store.keyValues(),
                () -> List.of(SECRET), time);
        assertThat(joined.certificate()).hasContent(one.file());
    }

    @Test
    void theCertificateOfAServerThatWasAloneIsSharedWithItsNewNodes() throws Exception {
        IssuedCertificate before = issuer.issue(DOMAINS, time.now());
        AcmeFolder folder = new AcmeFolder(parent.resolve("one"));
        folder.keep(before);
        KeyPair account = folder.accountKey(SharedRenewalTest::accountKey);
        Node one = node("one", SECRET);
        Node two = node("two", SECRET);
        one.renewal.step();
        two.renewal.step();
        assertThat(requests).isEmpty();
        assertThat(two.file()).isEqualTo(one.file());
        one.places.storage().accountKey(SharedRenewalTest::accountKey);
        assertThat(two.places.storage().accountKey(SharedRenewalTest::accountKey).getPrivate())
                .isEqualTo(account.getPrivate());
    }

    @Test
    void aFailureIsAFaultOfAllNodesAndTheyWaitTogether() throws Exception {
        Node one = node("one", SECRET);
        Node two = node("two", SECRET);
        one.beforeIssue = () -> {
            throw new IssuanceException("No certificate: the authority is away", null, null);
        };
        two.beforeIssue = one.beforeIssue;
        one.renewal.step();
        two.renewal.step(); // a start of its own tries at once
        two.renewal.step();
        one.renewal.step();
        assertThat(requests).containsExactly("one", "two");
        assertThat(one.renewal.faults()).singleElement().asString().contains("the authority is away");
        assertThat(two.renewal.faults()).isEqualTo(one.renewal.faults());
        time.advance(Duration.ofMinutes(3));
        one.renewal.step();
        two.renewal.step();
        assertThat(requests).hasSize(3);
    }

    @Test
    void aNodeWithAnotherSecretSaysSoAndRequestsNothing() throws Exception {
        node("one", SECRET).renewal.step();
        Node two = node("two", OTHER);
        two.renewal.step();
        assertThat(requests).containsExactly("one");
        assertThat(two.renewal.faults()).singleElement().asString().contains("another secret", "every node");
    }

    @Test
    void aRotatedSecretStillOpensWhatTheOneBeforeEncrypted() throws Exception {
        Node one = node("one", OTHER);
        one.renewal.step();
        Node two = node("two", SECRET, OTHER);
        two.renewal.step();
        assertThat(two.file()).isEqualTo(one.file());
    }

    @Test
    void noPrivateKeyIsReadableInTheStore() throws Exception {
        Node one = node("one", SECRET);
        one.renewal.step();
        one.places.storage().accountKey(SharedRenewalTest::accountKey);
        AcmeKeys names = AcmeKeys.of(options("one"));
        for (String key : List.of(names.account(), names.certificate(), names.state())) {
            assertThat(store.keyValues().read(key, time.now())).get().extracting(StoredValue::text).asString()
                    .doesNotContain("PRIVATE");
        }
        TextEncryption encryption = new TextEncryption(List.of(SECRET));
        String sealed = store.keyValues().read(names.account(), time.now()).orElseThrow().text();
        assertThat(encryption.open(names.account(), sealed)).get().asString().contains("PRIVATE KEY");
        assertThat(encryption.open(names.certificate(), sealed)).as("at another place").isEmpty();
    }

    @Test
    void aCertificateThatCouldNotBeStoredIsStoredLaterAndNotRequestedAgain() throws Exception {
        Node one = node("one", SECRET);
        one.beforeIssue = () -> store.failNext(Call.VALUE_REPLACE, Fault.BEFORE, 1);
        one.renewal.step();
        assertThat(one.renewal.faults()).isNotEmpty();
        time.advance(Duration.ofMinutes(2));
        one.renewal.step();
        assertThat(requests).containsExactly("one");
        assertThat(one.renewal.faults()).isEmpty();
        Node two = node("two", SECRET);
        two.renewal.step();
        assertThat(two.file()).isEqualTo(one.file());
    }

    @Test
    void nodesWithOtherDomainsDisturbNobody() throws Exception {
        Node one = node("one", SECRET);
        one.renewal.step();
        String before = one.file();
        AcmeOptions options = new AcmeOptions(List.of("other.example"), null, AcmeOptions.LETS_ENCRYPT, null,
                parent.resolve("two"), AcmeChallenge.HTTP_01);
        new Node("two", options, List.of(SECRET)).renewal.step();
        one.renewal.step();
        assertThat(requests).containsExactly("one", "two");
        assertThat(one.file()).isEqualTo(before);
    }

    private static KeyPair accountKey() {
        return KeyPairUtils.createECKeyPair("secp256r1");
    }

    private AcmeOptions options(String name) {
        return new AcmeOptions(DOMAINS, null, AcmeOptions.LETS_ENCRYPT, null, parent.resolve(name),
                AcmeChallenge.HTTP_01);
    }

    private Node node(String name, SecretKey... keys) throws Exception {
        return new Node(name, options(name), List.of(keys));
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IssuanceException;
    }

    /** A node with a folder of its own. */
    private final class Node {
        private final AcmeRenewal.Places places;
        private final AcmeRenewal renewal;
        private Step beforeIssue = () -> {};

        Node(String name, AcmeOptions options, List<SecretKey> keys) throws Exception {
            KeyValueStore values = store.keyValues();
            places = AcmeRenewal.Places.of(options, new OpenChallenges(() -> TestKeys.rsa(1)), values, () -> keys,
                    time);
            places.folder().standIn(options.domains(), time.now());
            renewal = new AcmeRenewal(options, places, () -> {
                requests.add(name);
                beforeIssue.run();
                return issuer.issue(options.domains(), time.now());
            }, time, new Random(3));
        }

        String file() throws IOException {
            return Files.readString(renewal.certificate());
        }
    }
}
