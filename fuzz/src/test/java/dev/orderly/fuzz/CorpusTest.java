package dev.orderly.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The inputs that the fuzzer starts from and those that it has found, and some that a seed makes of them. */
@Timeout(300)
class CorpusTest {
    private static final int MUTANTS = 40;
    /** Where a server answers each. */
    private static final int SERVED_MUTANTS = 3;

    private static List<Path> corpus(FuzzTarget target) throws Exception {
        Path folder = Path.of(Objects.requireNonNull(CorpusTest.class.getResource(target.folder())).toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachInputIsAnsweredAsPromised(FuzzTarget target) throws Exception {
        List<Path> corpus = corpus(target);
        assertThat(corpus).as("inputs of %s", target).isNotEmpty();
        Random random = new Random(7);
        FuzzTarget.Input input = target.start();
        int mutants = target.compareTo(FuzzTarget.EDGE) < 0 ? MUTANTS : SERVED_MUTANTS;
        for (Path file : corpus) {
            byte[] seed = Files.readAllBytes(file);
            run(input, file, seed);
            for (int n = 0; n < mutants; n++) {
                run(input, file, mutant(seed, Files.readAllBytes(corpus.get(random.nextInt(corpus.size()))), random));
            }
        }
    }

    private static void run(FuzzTarget.Input target, Path file, byte[] input) throws IOException {
        try {
            target.run(input);
        } catch (Exception | AssertionError e) {
            throw new AssertionError("An input made of " + file.getFileName() + ", in base64: "
                    + Base64.getEncoder().encodeToString(input), e);
        }
    }

    /** An input with some bytes changed, left out or doubled, or with a piece of another. */
    private static byte[] mutant(byte[] input, byte[] other, Random random) {
        byte[] made = input.clone();
        for (int n = random.nextInt(4); n >= 0 && made.length > 0; n--) {
            int at = random.nextInt(made.length);
            int length = Math.min(made.length - at, 1 + random.nextInt(8));
            switch (random.nextInt(4)) {
                case 0 -> made[at] = (byte) random.nextInt(256);
                case 1 -> made = joined(Arrays.copyOf(made, at), Arrays.copyOfRange(made, at + length, made.length));
                case 2 -> made = joined(Arrays.copyOf(made, at + length), Arrays.copyOfRange(made, at, made.length));
                default -> made = joined(Arrays.copyOf(made, at),
                        Arrays.copyOfRange(other, Math.min(other.length, at), other.length));
            }
        }
        return made;
    }

    private static byte[] joined(byte[] one, byte[] two) {
        byte[] all = Arrays.copyOf(one, one.length + two.length);
        System.arraycopy(two, 0, all, one.length, two.length);
        return all;
    }
}
