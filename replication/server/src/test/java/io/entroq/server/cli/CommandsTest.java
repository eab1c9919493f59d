package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

class CommandsTest {
  @Test
  void shouldFindEveryCommandByItsNamesAlone() {
    List<Class<?>> all = Commands.neededBy();
    assertThat(all).doesNotHaveDuplicates().hasSizeGreaterThan(30);
    for (Class<?> command : all.subList(0, all.size() - 2)) {
      Command named = command.getAnnotation(Command.class);
      assertThat(Commands.neededBy(named.name(), "x")).isEqualTo(List.of(command));
      for (String alias : named.aliases()) {
        assertThat(Commands.neededBy(alias)).isEqualTo(List.of(command));
      }
    }
  }

  @Test
  void shouldNeedAllCommandsForThoseThatListThem() {
    List<Class<?>> all = Commands.neededBy();
    assertThat(all).endsWith(CompletionCommand.class, HelpCommand.class);
    assertThat(Commands.neededBy("help")).isEqualTo(all);
    assertThat(Commands.neededBy("completion")).isEqualTo(all);
    assertThat(Commands.neededBy("--help")).isEqualTo(all);
    assertThat(Commands.neededBy("nonsense")).isEqualTo(all);
    assertThat(Commands.neededBy("--version")).isEmpty();
    assertThat(Commands.neededBy("-V")).isEmpty();
  }
}
