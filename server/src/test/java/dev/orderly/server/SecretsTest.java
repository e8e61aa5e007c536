package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.token.TokenKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsTest {
    private static final String ONE = "whsec_" + Base64.getEncoder().encodeToString(new byte[32]);
    private static final String TWO = "whsec_" + Base64.getEncoder().encodeToString(new byte[24]);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aMissingFileIsCreatedForItsOwnerOnlyAndReadAgain() throws IOException {
        Path file = folder.resolve("deep/secret");

        assertThat(Secrets.read(null, file, true).webhooks()).hasSize(1);

        String made = Files.readString(file);
        assertThat(made).matches("[A-Za-z0-9+/]{43}=\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("deep"))))
                .isEqualTo("rwx------");
        assertThat(folder.resolve("deep")).isDirectoryContaining(path -> path.equals(file));
        assertThat(Secrets.read(null, file, true).webhooks()).hasSize(1);
        assertThat(file).hasContent(made);
    }

    @Test
    void aReceiverOfWebhooksLearnsNoKeyThatSignsAnythingElse() {
        Secrets secrets = Secrets.read(ONE, folder.resolve("none"), true);

        String shown = secrets.webhooks().getFirst().reveal();
        assertThat(shown).isNotEqualTo(ONE).isNotEqualTo(secrets.attempts().getFirst().reveal());
        TokenKeys known = TokenKeys.of(List.of(secrets.webhooks().getFirst().bytes()));
        assertThat(known).asString().isNotEqualTo(secrets.rooms().toString());
    }

    @Test
    void severalSecretsAreReadWhileTheyRotate() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), ONE + "\n\n" + TWO + "\n");

        assertThat(Secrets.read(null, file, false).webhooks()).hasSize(2);
        assertThat(Secrets.read(ONE + " " + TWO, folder.resolve("none"), false).webhooks()).hasSize(2);
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void anInvalidSecretIsRefusedWithItsPlaceAndNeverPrinted() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), ONE + "\nhunter2!\n");

        assertThatThrownBy(() -> Secrets.read(null, file, false)).isInstanceOf(StartFailedException.class)
                .hasMessageContaining(file.toString()).hasMessageContaining("secret 2")
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> Secrets.read("hunter2!", file, false)).isInstanceOf(StartFailedException.class)
                .hasMessageContaining("ORDERLY_SECRET").hasMessageNotContaining("hunter2");
        Files.writeString(file, "\n");
        assertThatThrownBy(() -> Secrets.read(null, file, false)).hasMessageContaining("no secret");
    }

    @Test
    void aSecretTooShortForRoomsIsRefusedWhereThereAreRooms() {
        assertThatThrownBy(() -> Secrets.read(ONE + " " + TWO, folder.resolve("none"), true))
                .isInstanceOf(StartFailedException.class).hasMessageContaining("ORDERLY_SECRET")
                .hasMessageContaining("Secret 2").hasMessageContaining("32 random bytes");
    }
}
