package dev.orderly.boxoffice.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class HtmlTest {
    @Test
    void valuesAreEscapedAndMarkupIsNot() {
        Html inner = Html.of("<b>{}</b>", "<&>\"'");
        assertThat(Html.of("<p title=\"{}\">{}</p>", "\"", inner).markup())
                .isEqualTo("<p title=\"&quot;\"><b>&lt;&amp;&gt;&quot;&#39;</b></p>");
    }

    @Test
    void gapsInsideAValueStayText() {
        assertThat(Html.join(List.of(Html.of("{}{}", "{}", 1))).markup()).isEqualTo("{}1");
    }

    @Test
    void aTemplateTakesAsManyValuesAsItHasGaps() {
        assertThatThrownBy(() -> Html.of("{}")).hasMessageContaining("more gaps");
        assertThatThrownBy(() -> Html.of("", 1)).hasMessageContaining("fewer gaps");
    }
}
