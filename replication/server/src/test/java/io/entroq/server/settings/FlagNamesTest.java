package io.entroq.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.translation.Refusal;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlagNamesTest {
  @Test
  void shouldNameTheFlagOfEverySettingInPlaceOfItsJavaName() {
    assertThat(FlagNames.in("memoryBytesMax allows 8; diskLowBytes is 3, (acceptClock)"))
        .isEqualTo("--memory-bytes-max allows 8; --disk-low-bytes is 3, (--accept-clock)");
    for (Setting<?> setting : ServerSettings.ofEither()) {
      String[] words = setting.name().split("-", 0);
      if (words.length > 1) {
        String javaName =
            words[0]
                + Arrays.stream(words)
                    .skip(1)
                    .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                    .reduce("", String::concat);
        assertThat(FlagNames.in("limit " + javaName + ": no"))
            .isEqualTo("limit --" + setting.name() + ": no");
      }
    }
  }

  @Test
  void shouldLeaveOtherWordsAlone() {
    String text = "limit requestsInFlightMax: the members of data have MemoryBytesMax in iPhone $1";
    assertThat(FlagNames.in(text)).isEqualTo(text);
  }

  /** Over the network, too, where the same words come from another module. */
  @Test
  void shouldNameFlagsInRefusalsOfEverySettingOfTheEngine() {
    List<String> names =
        Arrays.stream(EmbeddedConfig.Builder.class.getMethods()).map(Method::getName).toList();
    assertThat(names).contains("memoryBytesMax", "diskLowBytes");
    for (String name : names) {
      EntroQException thrown = new EntroQException.ResourceExhausted("limit " + name + ": (x)");
      assertThat(Refusal.of(thrown).message()).isEqualTo(FlagNames.in(thrown.getMessage()));
    }
  }

  @Test
  void shouldTranslateARealRefusal() {
    EmbeddedConfig config = EmbeddedConfig.inMemory().queueTasksMax(1).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      queue.modify(Modification.insert("inbox", "x")).orThrow();
      EntroQException full =
          assertThrows(
              EntroQException.class,
              () -> queue.modify(Modification.insert("inbox", "x")).orThrow());
      assertThat(FlagNames.in(full.getMessage()))
          .contains("--queue-tasks-max")
          .doesNotContain("queueTasksMax");
    }
  }
}
