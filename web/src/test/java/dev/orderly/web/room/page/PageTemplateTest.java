package dev.orderly.web.room.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.RoomName;
import dev.orderly.text.LocalizedText;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content from operators: a template of their own, and settings of the default template. */
class PageTemplateTest {
    @TempDir
    Path folder;

    @Test
    void aCustomTemplateGetsTheSameValues() throws Exception {
        WaitingPage page = own("""
                <html lang="{{lang}}"><style>h1{color:red}</style><h1>{{heading}}</h1>
                {{#waiting}}<b>{{ahead}}</b> {{aheadAfter}}, {{estimate}}{{/waiting}}{{^message}}no news{{/message}}
                {{#turn}}<a href="">{{t.enter}}</a>{{/turn}}
                <script type="application/json" id="data">{{{data}}}</script><script>{{{script}}}</script></html>""");

        assertThat(Pages.html(page, Pages.view(Pages.WAITING, null), "de")).contains("<html lang=\"de\">",
                "<h1>Sie sind in der Warteschlange</h1>", "<b>412</b> Personen vor Ihnen, etwa 8 bis 12 Minuten",
                "no news")
                .doesNotContain("Jetzt hinein</a>");
        assertThat(Pages.html(page, Pages.view(new PageState.Turn(), "x"), "de")).contains("Jetzt hinein</a>")
                .doesNotContain("no news", "<b>");
        assertThat(page.contentSecurityPolicy())
                .containsPattern("style-src 'sha256-[^']+'; script-src 'sha256-[^']+';");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"a\\n{{#waiting}}x|line 2|Close every",
            "a\\n\\n{{peopel}}|line 3: there is no value peopel|use one of",
            "{{#t.nothing}}{{/t.nothing}}|no value t.nothing|use one of",
            "a\\n<p>{{{message}}}</p>|line 2: message is text|{{message}}",
            "<p>{{&message}}</p>|message is text|{{message}}",
            "a\\n<style>{{style}}</style>|line 2: a style|{{{style}}}",
            "a\\n<script>\\nlet x = '{{place}}'</script>|line 3: a script cannot hold values|read them from the page",
            "<SCRIPT type=\"application/json\">{\"a\":\"{{message}}\"}</SCRIPT>|cannot hold values|{{{data}}}",
            "{{> other}}|cannot include another template|put its text here",
            "<p>{{data}}</p>|data is markup|three braces"})
    void anInvalidTemplateIsRefusedWithLineAndRemedy(String text, String where, String remedy) {
        assertThatThrownBy(() -> own(text.replace("\\n", "\n"))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("own.html").hasMessageContaining(where).hasMessageContaining(remedy);
    }

    @Test
    void aTemplateThatIsTooLargeMissingOrNotInUtf8IsRefused() throws Exception {
        Path file = folder.resolve("big.html");
        Files.write(file, new byte[PageTemplate.MAX + 1]);
        assertThatThrownBy(() -> PageTemplate.read(PageFile.of(file)))
                .hasMessageContaining("big.html has more than 1048576 bytes");
        Files.write(file, new byte[]{'a', (byte) 0xe4, 'b'});
        assertThatThrownBy(() -> PageTemplate.read(PageFile.of(file))).hasMessageContaining("not in UTF-8");
        assertThatThrownBy(() -> PageTemplate.read(PageFile.of(folder.resolve("none.html"))))
                .hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> own("a \uFDD0 b")).hasMessageContaining("U+FDD0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"p{}</style><script>alert(1)</script>", "p{}</STYLE >", "<!-- p{}"})
    void cssThatEndsItsElementIsRefused(String css) {
        assertThatThrownBy(() -> new PageLook(LocalizedText.of("Title"), null, null, css, null))
                .hasMessageContaining("rules only");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"javascript:alert(1)", "//evil.example", "data:text/html,x", "https://a b", "ftp://x", "\\x"})
    void aLinkThatIsNoWebAddressIsRefused(String address) {
        assertThatThrownBy(() -> HelpLink.of("Help", address)).hasMessageContaining("use https://");
    }

    @Test
    void settingsHaveBounds() {
        assertThatThrownBy(() -> PageLook.titled(" ")).hasMessageContaining("blank");
        assertThatThrownBy(() -> PageLook.titled("x".repeat(201))).hasMessageContaining("201 characters");
        assertThatThrownBy(() -> new PageLook(LocalizedText.of("T"), LocalizedText.of("\uFDD0"), null, "", null))
                .hasMessageContaining("U+FDD0");
        assertThatThrownBy(() -> new Logo("https://a/logo.png")).hasMessageContaining("no data URI");
        assertThatThrownBy(() -> new Logo("data:image/png;base64," + "A".repeat(Logo.MAX))).hasMessageContaining(
                "at most 204800");
        assertThatThrownBy(() -> HelpLink.of(" ", "/")).hasMessageContaining("no text");
    }

    @Test
    void aLogoIsReadFromAFile() throws Exception {
        Path svg = Files.writeString(folder.resolve("logo.SVG"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
        assertThat(Logo.read(PageFile.of(svg)).dataUri()).startsWith("data:image/svg+xml;base64,PHN2Zy");
        assertThatThrownBy(() -> Logo.read(PageFile.of(Files.writeString(folder.resolve("logo.bmp"), "x"))))
                .hasMessageContaining(
                        "logo.bmp is of no known kind");
        assertThatThrownBy(() -> Logo.read(PageFile.of(Files.write(folder.resolve("big.png"), new byte[Logo.MAX + 1]))))
                .hasMessageContaining("big.png has more than 204800 bytes");
        assertThatThrownBy(() -> Logo.read(PageFile.of(folder.resolve("no.png"))))
                .hasMessageContaining("cannot be read");
    }

    @Test
    void cssIsReadFromAFile() throws Exception {
        Path file = Files.writeString(folder.resolve("own.css"), ":root{--accent:#a3123a}");
        assertThat(PageFile.of(file).css()).isEqualTo(":root{--accent:#a3123a}");
        Files.writeString(file, "p{}</style>");
        assertThatThrownBy(PageFile.of(file)::css).hasMessageContaining("rules only");
        Files.write(file, new byte[(64 << 10) + 1]);
        assertThatThrownBy(PageFile.of(file)::css).hasMessageContaining("own.css has more than 65536 bytes");
        Files.write(file, new byte[]{(byte) 0xe4});
        assertThatThrownBy(PageFile.of(file)::css).hasMessageContaining("own.css is not in UTF-8");
        assertThatThrownBy(PageFile.of(folder.resolve("no.css"))::css).hasMessageContaining("cannot be read");
    }

    private WaitingPage own(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("own.html"), text);
        return new WaitingPage(new RoomName("sale"), PageLook.titled("Lantern Festival"),
                PageTemplate.read(PageFile.of(file)));
    }
}
