package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.server.settings.ServerSettings;
import io.entroq.server.settings.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The help of all commands. */
class HelpTest {
  static Stream<List<String>> commands() {
    return commands(Main.commandLine(), List.of());
  }

  private static Stream<List<String>> commands(CommandLine command, List<String> name) {
    return Stream.concat(
        Stream.of(name),
        command.getSubcommands().entrySet().stream()
            .flatMap(
                entry -> {
                  List<String> longer = new ArrayList<>(name);
                  longer.add(entry.getKey());
                  return commands(entry.getValue(), longer);
                }));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldGiveAnExampleAndTheExitStatus(List<String> name) {
    String help = help(name);
    assertThat(help).contains("Example", "\n  entroq ", "Exit status: 0 if ", "--help");
    assertThat(help).containsPattern("; 2\\s+if\\s");
    assertThat(help).doesNotContain("@|");
    String examples = help.substring(help.indexOf("\nExample"), help.indexOf("\nExit status"));
    assertThat(examples.lines().skip(2)).allMatch(line -> line.isEmpty() || line.startsWith("  "));
    assertThat(help.lines()).allMatch(line -> line.length() <= 80 || line.startsWith("  entroq"));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldPrintVersion(List<String> name) {
    assertThat(run(name, "--version").assertGood().out()).startsWith("entroq ");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldFitOnTwoScreens(List<String> name) {
    assertThat(help(name).lines()).hasSizeLessThanOrEqualTo(100);
  }

  @Test
  void shouldShowAllOptionsOfServersOnRequest() {
    String[] commands = {"serve", "node", "health"};
    List<List<Setting<?>>> tables =
        List.of(ServerSettings.all(), ServerSettings.ofNode(), ServerSettings.ofEither());
    for (int i = 0; i < commands.length; i++) {
      String full = run(List.of(commands[i]), "--help-all").assertGood().out();
      for (Setting<?> setting : tables.get(i)) {
        assertThat(full).containsPattern("\n +" + setting.flags()[0] + "[\\[= \n]");
      }
      assertThat(help(List.of(commands[i])))
          .contains("--help-all", "--http-port=PORT", "--tls-cert=FILE")
          .doesNotContain("--turn-wait-max");
    }
  }

  @Test
  void shouldListEveryCommand() {
    String help = help(List.of());
    Main.commandLine()
        .getSubcommands()
        .keySet()
        .forEach(
            command ->
                assertThat(help)
                    .containsPattern("\n  (\\S+, )*" + command + "(, \\S+)* +[A-Z][^\n]+"));
  }

  @Test
  void shouldDescribeTheDirectoryOfTheDemo() {
    assertThat(help(List.of("demo")))
        .containsPattern("\\[DIR\\] +Directory whose files are counted[.] Default: the\\s+current");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldPrintSameHelpByHelpCommand(List<String> name) {
    List<Object> words = new ArrayList<>(List.of("help"));
    words.addAll(name);
    assertThat(Cli.run(words.toArray()).assertGood().out()).isEqualTo(help(name));
  }

  @Test
  void shouldReportUnknownCommand() {
    Cli.run("help", "insert")
        .assertMisused("entroq help: Unknown command insert; did you mean ins?");
    Cli.run("help", "log", "verfy").assertMisused("Unknown command verfy; did you mean verify?");
  }

  private static String help(List<String> name) {
    return run(name, "--help").assertGood().out();
  }

  private static Cli run(List<String> name, String option) {
    List<Object> words = new ArrayList<>(name);
    words.add(option);
    return Cli.run(words.toArray());
  }
}
