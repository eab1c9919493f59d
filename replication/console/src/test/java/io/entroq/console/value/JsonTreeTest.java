package io.entroq.console.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTreeTest {
  private static JsonNode tree(String json) {
    return JsonTree.of(json, ValueMask.NONE).orElseThrow();
  }

  private static int count(JsonNode node) {
    return 1 + node.members().stream().mapToInt(JsonTreeTest::count).sum();
  }

  private static int depth(JsonNode node) {
    return 1 + node.members().stream().mapToInt(JsonTreeTest::depth).max().orElse(0);
  }

  @Test
  void shouldReadADocument() {
    JsonNode root = tree("{\"a\":[1,true,null],\"b\":\"x\\ny\",\"c\":{},\"d\":1.50}");
    assertThat(root.text()).isEqualTo("4 members");
    assertThat(root.members()).extracting(JsonNode::name).containsExactly("a", "b", "c", "d");
    assertThat(root.members().get(0).text()).isEqualTo("3 items");
    assertThat(root.members().get(0).members())
        .extracting(JsonNode::text)
        .containsExactly("1", "true", "null");
    assertThat(root.members())
        .extracting(JsonNode::text)
        .containsExactly("3 items", "\"x\\ny\"", "0 members", "1.50");
    assertThat(tree("\"x\"").text()).isEqualTo("\"x\"");
    assertThat(tree("[7]").text()).isEqualTo("1 item");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "[1,]", "hello", "1 2", "{\"a\":1}}", "{'a':1}", "\u0000"})
  void shouldNotReadWhatIsNoJson(String text) {
    assertThat(JsonTree.of(text, ValueMask.NONE)).isEmpty();
  }

  @Test
  void shouldShowNoMoreThanAPageHolds() {
    JsonNode many = tree("[" + "[0],".repeat(5_000) + "0]");
    assertThat(count(many)).isBetween(1_999, 2_002);
    assertThat(many.text()).startsWith("more than ");
    JsonNode deep = tree("[".repeat(200) + "]".repeat(200));
    assertThat(depth(deep)).isEqualTo(33);
    JsonNode longText = tree("[\"" + "x".repeat(100_000) + "\",\"y\"]");
    assertThat(longText.members().get(0).text()).hasSizeLessThan(70_000).endsWith("not shown");
    assertThat(longText.members().get(1).text()).isEqualTo("more is not shown");
  }

  @Test
  void shouldHideWhatPointersName() {
    ValueMask mask = ValueMask.of(List.of("/card/number", "/users/*/mail", "/a~1b"));
    JsonNode root =
        JsonTree.of(
                "{\"card\":{\"number\":\"1234\",\"owner\":\"x\"},\"users\":[{\"mail\":\"m\"},"
                    + "{\"mail\":{\"deep\":\"secret\"}}],\"a/b\":[1]}",
                mask)
            .orElseThrow();
    assertThat(root.toString()).doesNotContain("1234", "\"m\"", "secret", "deep");
    assertThat(root.members().get(0).members())
        .extracting(JsonNode::text)
        .containsExactly("hidden", "\"x\"");
    assertThat(root.members().get(2).text()).isEqualTo("hidden");
    assertThatThrownBy(() -> ValueMask.of(List.of("card")))
        .hasMessage("'card' is not a JSON pointer: it must begin with /");
  }
}
