package dev.orderly.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code docs/referee.py} accepts a good history, and names the rule that a forged one breaks. */
class HistoryRefereeTest {
    /** Two jobs of a group, the first one failed once and pushed twice, and one job of no group. */
    private static final List<String> GOOD = List.of("push 0 g", "failed 0", "push 0 g", "accepted 0 a", "push 1 g",
            "begin 0 a 1 g 5", "accepted 1 b", "end 0 a 1 false", "push 0 g", "accepted 0 a", "disturb", "disturbed",
            "begin 0 a 2 g 5", "end 0 a 2 true", "begin 1 b 1 g 7", "push 2 -", "accepted 2 c", "end 1 b 1 true",
            "begin 2 c 1 - 1", "end 2 c 1 true", "drained 0 0");

    @TempDir
    private Path folder = Path.of("");

    private ChildProcess.Ended judge(List<String> lines) throws IOException {
        assumeTrue(PythonReferee.isInstalled());
        return PythonReferee.judge(Files.write(folder.resolve("history.jsonl"), lines));
    }

    private static List<String> written(List<String> events) {
        List<String> lines = new ArrayList<>();
        for (String event : events) {
            String[] word = event.replace(" -", " ").split(" ", -1);
            String n = word.length > 1 ? ",\"n\":" + word[1] : "";
            lines.add("{\"us\":" + lines.size() * 1_000_000 + ",\"op\":\"" + word[0] + "\"" + switch (word[0]) {
                case "push" -> n + ",\"group\":\"" + word[2] + "\"";
                case "accepted" -> n + ",\"job\":\"" + word[2] + "\"";
                case "begin" -> n + ",\"job\":\"" + word[2] + "\",\"attempt\":" + word[3] + ",\"group\":\"" + word[4]
                        + "\",\"sequence\":\"" + word[5] + "\"";
                case "end" -> n + ",\"job\":\"" + word[2] + "\",\"attempt\":" + word[3] + ",\"ok\":" + word[4];
                case "drained" -> ",\"pending\":" + word[1] + ",\"dead\":" + word[2];
                default -> n;
            } + "}");
        }
        return lines;
    }

    @Test
    void aGoodHistoryBreaksNoRuleAndIsCounted() throws IOException {
        ChildProcess.Ended judged = judge(written(GOOD));

        assertThat(judged.out()).isEqualTo("""
                21 events: 5 pushes sent, 4 accepted, 4 runs, 1 disturbances; the longest time without a job that\
                 ended: 4.0 s
                No rule is broken.
                """);
        assertThat(judged.exitCode()).isZero();
    }

    /** Lines are counted from 1; a forged line takes the place of one, or of none at its end. */
    @ParameterizedTest
    @CsvSource({
            "19, unsigned 2, signature: the handler was asked to run push 2 without the signature of a node (lines 19)",
            "20, end 2 c 1 false, lost: push 2 was accepted as job c",
            "21, drained 1 0, lost: the cluster has not drained",
            "21, drained 0 1, lost: the cluster has not drained",
            "11, begin 9 z 1 - 9, not pushed: push 9 was never sent",
            "19, begin 2 c 1 h 1, not pushed: push 2 ran in group 'h'",
            "10, accepted 0 z, one id: push 0 is job a and job z",
            "11, begin 1 b 1 g 7, 'order: push 1 of group g began before push 0 did (lines 11, 14)'",
            "14, end 0 a 2 false, overlap: push 1 of group g began before push 0 had ended well",
            "13, begin 0 a 1 g 5, attempts: attempt 1 of push 0 began after attempt 1",
            "19, begin 0 a 1 g 5, attempts: attempt 1 of push 0 began after attempt 2",
            "19, begin 0 a 3 g 5, order: push 1 of group g began before push 0 did",
            "15, begin 1 b 1 g 4, number: push 1 of group g has a lower number"})
    void aForgedHistoryIsFoundByTheRuleThatItBreaks(int line, String forged, String broken) throws IOException {
        List<String> events = new ArrayList<>(GOOD);
        if (line == 11) {
            events.add(line - 1, forged);
        } else {
            events.set(line - 1, forged);
        }

        ChildProcess.Ended judged = judge(written(events));

        assertThat(judged.out()).contains("BROKEN " + broken);
        assertThat(judged.exitCode()).isEqualTo(1);
    }

    @Test
    void aHistoryWithoutItsEndIsNoProof() throws IOException {
        assertThat(judge(written(GOOD.subList(0, GOOD.size() - 1))).out()).contains("BROKEN lost: the cluster has not");
    }

    @Test
    void aFileThatIsNoHistoryIsRefused() throws IOException {
        List<String> torn = new ArrayList<>(written(GOOD));
        torn.add("{\"us\":");
        assertThat(judge(torn).exitCode()).isEqualTo(2);
        assertThat(judge(List.of("{\"us\": 1}")).exitCode()).isEqualTo(2);
    }
}
