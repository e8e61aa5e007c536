package dev.orderly.job.present;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobSnapshot;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactionTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    private final Redaction redaction = new Redaction(List.of("password", "Card", "e-mail"));

    private String masked(String type, String text) {
        Payload payload = new Payload(type, text.getBytes(StandardCharsets.UTF_8));
        return redaction.masked(payload).orElse(payload).asText();
    }

    private static JobView withParams(Map<String, String> params) {
        return new JobSnapshot(JobId.of(1, 7), new QueueName("mails"), null, Priority.NORMAL, JobState.WAITING, 0, 0,
                null,
                null, null, params, Payload.text("x"), null, null, null, null, null, null, null, null);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "{\"a\": 1.50, \"PassWord\" : \"x\\\"y\" }|{\"a\": 1.50, \"PassWord\" : \"[masked]\" }",
            "[{\"card\":{\"no\":[1,2]},\"b\":1e400}]|[{\"card\":\"[masked]\",\"b\":1e400}]",
            "{\"password\":null,\"card\":12,\"x\":{\"password\":true}}"
                    + "|{\"password\":\"[masked]\",\"card\":\"[masked]\",\"x\":{\"password\":\"[masked]\"}}",
            "{\"ä\":\"😀\",\"pass\\u0077ord\":\"😀\",\"z\":\"ß\"}"
                    + "|{\"ä\":\"😀\",\"pass\\u0077ord\":\"[masked]\",\"z\":\"ß\"}",
            "{\"passwords\":1,\"note\":\"password\"}|{\"passwords\":1,\"note\":\"password\"}"})
    void valuesOfNamedKeysAreMaskedInJsonAtAnyDepthAndNothingElseChanges(String json, String expected) {
        assertThat(masked("application/json", json)).isEqualTo(expected);
        assertThat(masked("application/vnd.shop+json; charset=utf-8", json)).isEqualTo(expected);
    }

    @Test
    void fieldsOfFormsAndParamsAreMasked() {
        assertThat(masked(FORM, "a=1&pass%77ord=s%20x&b=2&card=&card")).isEqualTo(
                "a=1&pass%77ord=%5Bmasked%5D&b=2&card=%5Bmasked%5D&card=%5Bmasked%5D");
        assertThat(redaction.masked(withParams(Map.of("CARD", "1", "b", "2"))).orElseThrow().params())
                .isEqualTo(Map.of("CARD", "[masked]", "b", "2"));
        assertThat(redaction.masked(withParams(Map.of("b", "2")))).isEmpty();
        String part = "--x\r\nContent-Disposition: form-data; name=\"%s\"%s\r\n\r\n%s\r\n";
        String form = part.formatted("a", "", "ü") + part.formatted("password", "; filename=\"p.txt\"", "secret")
                + "--x--\r\n";
        assertThat(masked("multipart/form-data; boundary=x", form)).contains("ü", "[masked]", "p.txt", "--x--")
                .doesNotContain("secret");
    }

    @Test
    void contentWithoutNamedKeysIsNotMasked() {
        for (String text : List.of("{\"a\":1}", "{\"a\":", "password=1")) {
            Payload json = Payload.json(text.startsWith("p") ? "{\"a\":\"password\"}" : text);
            assertThat(redaction.masked(json)).isEmpty();
        }
        Payload text = Payload.text("password: x");
        assertThat(redaction.masked(text)).isEmpty();
        Payload json = Payload.json("{\"password\":1}");
        assertThat(Redaction.NONE.masked(json)).isEmpty();
    }

    @Test
    void jsonThatIsNotJsonIsMaskedAsAWholeIfItNamesAKey() {
        assertThat(masked("application/json", "{\"password\":\"x")).isEqualTo(Redaction.MASK);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "application/json|{\"card\":{\"no\":\"4111-1111\",\"cvv\":123}}|card 4111-1111, 123 of 1234 or x123"
                    + "|card [masked], [masked] of 1234 or x123",
            "application/json|{\"password\":\"a\\\"b c\"}|a\"b c A\"B C a\\\"b c a%22b+c a%22b%20c"
                    + "|[masked] [masked] [masked] [masked] [masked]",
            "application/json|{\"password\":true,\"x\":\"shown\"}|true shown|true shown",
            "application/json|{\"password\":\"x y|it was {\"password\":\"x y.|it was [masked].",
            "application/x-www-form-urlencoded|card=s%20x%26y&b=2|s x&y and s%20x%26y, b=2|[masked] and [masked], b=2",
            "text/plain|card=4111|card=4111|card=4111"})
    void theMaskedValuesOfAJobAreMaskedInTheWordsOfItsWorker(String type, String content, String words,
            String expected) {
        Payload payload = new Payload(type, content.getBytes(StandardCharsets.UTF_8));
        assertThat(redaction.maskedIn(Map.of(), payload).apply(words)).isEqualTo(expected);
    }

    @Test
    void valuesOfParamsAndOfFormsWithPartsAreMaskedInWordsToo() {
        assertThat(redaction.maskedIn(Map.of("CARD", "4111", "b", "2"), null).apply("4111 is not 2"))
                .isEqualTo("[masked] is not 2");
        Payload form = new Payload("multipart/form-data; boundary=x", ("--x\r\nContent-Disposition: form-data;"
                + " name=\"password\"\r\n\r\nsécret\r\n--x--\r\n").getBytes(StandardCharsets.UTF_8));
        assertThat(redaction.maskedIn(Map.of(), form).apply("sécret?")).isEqualTo("[masked]?");
        assertThat(Redaction.NONE.maskedIn(Map.of("card", "4111"), form).apply("4111")).isEqualTo("4111");
    }

    @Test
    void aMaskThatCameBackIsFound() {
        assertThat(redaction.hasMask(Payload.json("{\"password\":\"[masked]\"}"))).isTrue();
        assertThat(redaction.hasMask(Payload.json("{\"password\":\"new\",\"card\":\"[masked]\"}"))).isTrue();
        assertThat(redaction.hasMask(Payload.json("{\"password\":\"new\",\"a\":\"[masked]\"}"))).isFalse();
        assertThat(redaction.hasMask(new Payload(FORM, "card=%5Bmasked%5D".getBytes(StandardCharsets.UTF_8)))).isTrue();
    }
}
