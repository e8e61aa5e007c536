package dev.orderly.http.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.Payload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Multipart forms as typed handlers see them. */
class MultipartReaderTest {
    private static final String FORM = """
            --b7
            Content-Disposition: form-data; name="name"

            Jürgen
            --b7
            Content-Disposition: form-data; name="tag"

            one
            --b7
            Content-Disposition: form-data; name="file"; filename="a.bin"
            Content-Type: image/png

            \u0001\u00ff
            --b7
            Content-Disposition: form-data; name="tag"

            two
            --b7--
            """.replace("\n", "\r\n");
    private final MultipartReader reader = new MultipartReader();

    private static Payload payload(String contentType, String body) {
        return new Payload(contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void fieldsAreStringsRepeatedFieldsListsAndFilesMaps() {
        Map<String, Object> fields = reader.read(payload("multipart/form-data; boundary=b7", FORM));

        assertThat(fields).containsOnlyKeys("name", "tag", "file").containsEntry("name", "Jürgen")
                .containsEntry("tag", List.of("one", "two"));
        assertThat(fields.get("file")).isInstanceOfSatisfying(Map.class, file -> {
            assertThat(file.get("filename")).isEqualTo("a.bin");
            assertThat(file.get("contentType")).isEqualTo("image/png");
            assertThat(file.get("bytes")).isEqualTo("\u0001\u00ff".getBytes(StandardCharsets.UTF_8));
        });
    }

    @Test
    void aQuotedBoundaryIsTheSameBoundary() {
        assertThat(reader.read(payload("multipart/form-data; charset=utf-8; boundary=\"b7\"", FORM))).hasSize(3);
    }

    @Test
    void aTruncatedFormIsRefused() {
        byte[] whole = FORM.getBytes(StandardCharsets.UTF_8);
        int lastBoundary = whole.length - "--\r\n".length();
        for (int length = 1; length < lastBoundary; length++) {
            Payload cut = new Payload("multipart/form-data; boundary=b7", java.util.Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> reader.read(cut)).as("cut after %s bytes", length)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"multipart/form-data", "multipart/form-data; boundary=",
            "multipart/form-data; boundary=b8"})
    void aMissingBoundaryIsRefused(String contentType) {
        assertThatThrownBy(() -> reader.read(payload(contentType, FORM))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void moreThanAThousandPartsAreRefused() {
        String part = "--b7\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n";
        String form = part.repeat(1_001) + "--b7--\r\n";

        assertThatThrownBy(() -> reader.read(payload("multipart/form-data; boundary=b7", form)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void onlyMultipartFormsAreRead() {
        assertThat(reader.reads("multipart/form-data")).isTrue();
        assertThat(reader.reads("multipart/mixed")).isFalse();
    }
}
