package io.entroq.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Durability;
import io.entroq.engine.maintenance.HistoryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsTest {
  @TempDir private Path directory;

  static List<Setting<?>> all() {
    return ServerSettings.all();
  }

  @Test
  void shouldAcceptTheVariablesOfEntroqServersBelowItsOwn() {
    Settings settings = environment("EQMEM_PORT", "1", "EQPG_PORT", "1", "EQMEM_HTTP_PORT", "2");
    assertThat(settings.get(ListeningSettings.PORT)).isEqualTo(1);
    assertThat(settings.nameOf(ListeningSettings.PORT)).isEqualTo("EQMEM_PORT");
    assertThat(settings.get(ListeningSettings.HTTP_PORT)).isEqualTo(2);
    Settings own = environment("ENTROQ_PORT", "3", "EQMEM_PORT", "1", "EQPG_PORT", "2");
    assertThat(own.get(ListeningSettings.PORT)).isEqualTo(3);
    assertThatThrownBy(() -> environment("EQMEM_PORT", "1", "EQPG_PORT", "2"))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage("EQPG_PORT: contradicts EQMEM_PORT; set ENTROQ_PORT, or one of them");
    assertThat(SettingsRules.warnings(environment("EQSQLITE_PROT", "1")))
        .containsExactly("EQSQLITE_PROT: unknown setting; did you mean ENTROQ_PORT?");
  }

  @Test
  void shouldListenToTheFlagFirstThenToTheEnvironmentThenToTheFile() throws IOException {
    Path file = file("http-port: 3\nport: 30\nhost: filed");
    Map<String, String> environment = Map.of("ENTROQ_HTTP_PORT", "2", "ENTROQ_PORT", "20");
    Settings settings =
        Settings.of(
            List.of(
                new ExplicitValue(
                    ListeningSettings.HTTP_PORT, "1", new ValueSource.Flag("--http_port"))),
            Optional.of(file),
            environment);
    assertThat(settings.get(ListeningSettings.HTTP_PORT)).isEqualTo(1);
    assertThat(settings.nameOf(ListeningSettings.HTTP_PORT)).isEqualTo("--http_port");
    assertThat(settings.get(ListeningSettings.PORT)).isEqualTo(20);
    assertThat(settings.nameOf(ListeningSettings.PORT)).isEqualTo("ENTROQ_PORT");
    assertThat(settings.find(ListeningSettings.HOST)).contains("filed");
    assertThat(settings.nameOf(ListeningSettings.HOST)).isEqualTo(file + ":3: host");
    assertThat(settings.get(ListeningSettings.MAX_SIZE_MB)).isEqualTo(10);
    assertThat(settings.isSet(ListeningSettings.MAX_SIZE_MB)).isFalse();
  }

  @Test
  void shouldReadTheFileThatTheEnvironmentNamesUnlessAFlagNamesOne() throws IOException {
    Path named = file("port: 1");
    Path other = Files.writeString(directory.resolve("other.yml"), "port: 2");
    Map<String, String> environment = Map.of("ENTROQ_CONFIG", named.toString());
    assertThat(Settings.of(List.of(), Optional.empty(), environment).get(ListeningSettings.PORT))
        .isEqualTo(1);
    assertThat(Settings.of(List.of(), Optional.of(other), environment).get(ListeningSettings.PORT))
        .isEqualTo(2);
  }

  @Test
  void shouldTakeNeitherEmptyVariablesNorThoseOfAnOrchestratorForSettings() {
    // Of a service with the name entroq, every container in its namespace gets this.
    Settings settings =
        environment("ENTROQ_PORT", "tcp://10.0.0.7:37706", "ENTROQ_SERVICE_HOST", "x");
    assertThat(settings.get(ListeningSettings.PORT)).isEqualTo(37_706);
    assertThat(environment("ENTROQ_DATA", "").isSet(StoreSettings.DATA)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldBeGivenInEachWay(Setting<?> setting) throws IOException {
    String text = setting.defaultText().orElse(example(setting));
    Settings said = environment(setting.variable(), text);
    assertThat(said.isSet(setting)).isTrue();
    String underscored = setting.name().replace('-', '_');
    for (String key : List.of(setting.name(), underscored)) {
      Settings filed = filed(key + ": '" + text + "'");
      assertThat(filed.find(setting)).isPresent().isEqualTo(said.find(setting));
    }
    assertThat(setting.flags()).contains("--" + setting.name(), "--" + underscored);
    assertThat(setting.description()).endsWith(".");
  }

  private static String example(Setting<?> setting) {
    return switch (setting.type().label()) {
      case "LEVEL" -> "os";
      case "TIME" -> "1m";
      case "BYTES" -> "1GiB";
      case "URL" -> "https://x";
      case "KEEP" -> "7d";
      default -> "x";
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ENTROQ_PORT | 65536 | ENTROQ_PORT: invalid value '65536': expected 0 to 65535",
        "ENTROQ_PORT | -1 | ENTROQ_PORT: invalid value '-1': expected 0 to 65535",
        "ENTROQ_PORT | many | ENTROQ_PORT: invalid value 'many': expected 0 to 65535",
        "ENTROQ_PORT | 99999999999 | ENTROQ_PORT: invalid value '99999999999': expected 0 to 65535",
        "ENTROQ_QUEUE_TASKS_MAX | 1.5 | ENTROQ_QUEUE_TASKS_MAX: invalid value '1.5': expected 0 to 70368744177664",
        "ENTROQ_MKDIR | maybe | ENTROQ_MKDIR: invalid value 'maybe': expected true or false",
        "ENTROQ_DURABILITY | much | ENTROQ_DURABILITY: invalid value 'much': expected none, os or disk",
        "ENTROQ_AUTHZ | opa | ENTROQ_AUTHZ: invalid value 'opa': expected none, opahttp or mesh",
        "ENTROQ_VALUE_BYTES_MAX | 9MiB | ENTROQ_VALUE_BYTES_MAX: invalid value '9MiB': expected 1 to 8MiB",
        "ENTROQ_VALUE_BYTES_MAX | 1MB | ENTROQ_VALUE_BYTES_MAX: invalid value '1MB': expected 1 to 8MiB",
        "ENTROQ_SEGMENT_BYTES | 9999999999999T | ENTROQ_SEGMENT_BYTES: invalid value '9999999999999T': expected",
        "ENTROQ_HISTORY | 0 | ENTROQ_HISTORY: invalid value '0': expected off, 1m to 3650d, or 1MiB to 1024TiB",
        "ENTROQ_HISTORY | -1 | ENTROQ_HISTORY: invalid value '-1': expected off,",
        "ENTROQ_HISTORY | 7x | ENTROQ_HISTORY: invalid value '7x': expected off,",
        "ENTROQ_HISTORY | 90 | ENTROQ_HISTORY: invalid value '90': expected off,",
        "ENTROQ_HISTORY | 59s | ENTROQ_HISTORY: invalid value '59s': expected off,",
        "ENTROQ_HISTORY | 1k | ENTROQ_HISTORY: invalid value '1k': expected off,",
        "ENTROQ_HISTORY | 9999T | ENTROQ_HISTORY: invalid value '9999T': expected off,",
        "ENTROQ_DRAIN_TIMEOUT | 25h | ENTROQ_DRAIN_TIMEOUT: invalid value '25h': expected 0s to 24h",
        "ENTROQ_DRAIN_TIMEOUT | -1s | ENTROQ_DRAIN_TIMEOUT: invalid value '-1s': expected 0s to 24h",
        "ENTROQ_DRAIN_TIMEOUT | soon | ENTROQ_DRAIN_TIMEOUT: invalid value 'soon': expected 0s to 24h",
        "ENTROQ_OPA_URL | localhost:8181 | ENTROQ_OPA_URL: invalid value 'localhost:8181': expected a URL that starts",
        "ENTROQ_OPA_URL | ftp://x | ENTROQ_OPA_URL: invalid value 'ftp://x': expected a URL that starts",
        "ENTROQ_OPA_URL | http://a b | ENTROQ_OPA_URL: invalid value 'http://a b': expected a URL that starts",
      })
  void shouldSayWhoHasSaidWhatCannotBeAndWhatCan(String variable, String text, String said) {
    assertThatThrownBy(() -> environment(variable, text))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith(said);
  }

  @ParameterizedTest
  @CsvSource({
    "off, off",
    "OFF, off",
    "7d, 168h",
    "90m, 1h30m",
    "50g, 50GiB",
    "50GiB, 50GiB",
    "2M, 2MiB"
  })
  void shouldTellTimesOfHistoryFromSizes(String text, String printed) {
    HistoryPolicy policy = environment("ENTROQ_HISTORY", text).get(StoreSettings.HISTORY);
    assertThat(StoreSettings.HISTORY.type().printer().apply(policy)).isEqualTo(printed);
    assertThat(environment("ENTROQ_HISTORY", printed).get(StoreSettings.HISTORY)).isEqualTo(policy);
  }

  @Test
  void shouldRefuseWhatCannotBeAlsoIfItDoesNotCount() throws IOException {
    Path file = file("# ports\n\nport: 65536");
    assertThatThrownBy(
            () ->
                Settings.of(
                    List.of(
                        new ExplicitValue(
                            ListeningSettings.PORT, "1", new ValueSource.Flag("--port"))),
                    Optional.of(file),
                    Map.of()))
        .hasMessage(file + ":3: port: invalid value '65536': expected 0 to 65535");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "port: 1;prot: 2 | :2: prot: unknown setting; did you mean port?",
        "config: x | :1: config: unknown setting",
        "http-port: 1;http_port: 2 | :2: http_port: is set twice",
        "port: 1;port: 2 | :2: invalid YAML: Duplicate",
        "port:;  a: 1 | :1: port: expected a single value",
        "port: [1] | :1: port: expected a single value",
        "port: | :1: port: invalid value '': expected 0 to 65535",
        "- port | :1: expected lines of the form NAME: VALUE",
        "port | :1: expected lines of the form NAME: VALUE",
        "port: 1;  http-port: 'x | :2: invalid YAML: ",
        "port: *a | :1: ",
      })
  void shouldSayWhereAFileIsWrong(String text, String said) throws IOException {
    Path file = file(text.replace(';', '\n'));
    assertThatThrownBy(() -> Settings.of(List.of(), Optional.of(file), Map.of()))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith(file + said.strip())
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }

  @Test
  void shouldSayWhyAFileCannotBeRead() throws IOException {
    assertThatThrownBy(
            () -> Settings.of(List.of(), Optional.of(directory.resolve("nope")), Map.of()))
        .hasMessage(directory.resolve("nope") + ": cannot be read: no such file");
    assertThatThrownBy(() -> Settings.of(List.of(), Optional.of(directory), Map.of()))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith(directory + ": cannot be read: ");
    Path large = file("#".repeat((1 << 20) + 1));
    assertThatThrownBy(() -> Settings.of(List.of(), Optional.of(large), Map.of()))
        .hasMessageContaining("it has 1048577 bytes");
  }

  @Test
  void shouldReadAnEmptyFile() throws IOException {
    assertThat(filed("").get(ListeningSettings.PORT)).isEqualTo(37_706);
    assertThat(filed("# nothing\n").get(ListeningSettings.PORT)).isEqualTo(37_706);
  }

  @Test
  void shouldReadValuesAsTheyAreWritten() throws IOException {
    Settings settings =
        filed(
            """
            durability: OS
            mkdir: true
            drain-timeout: 1h30m
            snapshot-log-bytes: 512K
            unforced-bytes-max: 65536
            opa-path: /v1/x
            """);
    assertThat(settings.find(StoreSettings.DURABILITY)).contains(Durability.OS);
    assertThat(settings.get(StoreSettings.MKDIR)).isTrue();
    assertThat(settings.get(ShutdownSettings.DRAIN_TIMEOUT)).isEqualTo(Duration.ofMinutes(90));
    assertThat(settings.get(StoreSettings.SNAPSHOT_LOG_BYTES)).isEqualTo(512 << 10);
    assertThat(settings.get(LimitSettings.UNFORCED_BYTES_MAX)).isEqualTo(65_536);
    assertThat(settings.get(AuthorizationSettings.OPA_PATH)).isEqualTo("/v1/x");
  }

  @Test
  void shouldPrintAFileThatSaysTheSame() throws IOException {
    Settings settings =
        Settings.of(
            List.of(new ExplicitValue(ListeningSettings.PORT, "1", new ValueSource.Flag("--port"))),
            Optional.empty(),
            Map.of("ENTROQ_DATA", "it's: here", "ENTROQ_IDLE_YIELD", "1.5s"));
    String text = SettingsText.of(settings);
    assertThat(text)
        .contains("port: 1 ", "# --port\n", "data: 'it''s: here' ", "# ENTROQ_DATA\n")
        .contains("http-port: 9100 ", "# default\n", "# tls-cert: none, no TLS\n");
    Settings again = filed(text);
    for (Setting<?> setting : ServerSettings.all()) {
      assertThat(again.find(setting)).as(setting.name()).isEqualTo(settings.find(setting));
    }
  }

  @Test
  void shouldHidePasswords() {
    String text = SettingsText.of(environment("ENTROQ_OPA_URL", "https://me:hush@opa:1/x"));
    assertThat(text).contains("opa-url: 'https://***@opa:1/x'").doesNotContain("hush");
  }

  @Test
  void shouldHaveEachNameOnce() {
    List<String> names = new ArrayList<>();
    for (Setting<?> setting : ServerSettings.all()) {
      names.addAll(List.of(setting.flags()));
    }
    assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("--[a-z_-]+"));
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("entroq.yml"), text);
  }

  private Settings filed(String text) throws IOException {
    return Settings.of(List.of(), Optional.of(file(text)), Map.of());
  }

  private static Settings environment(String... variables) {
    Map<String, String> environment = new HashMap<>();
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    return Settings.of(List.of(), Optional.empty(), environment);
  }
}
