package io.entroq.server.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.server.settings.ListeningSettings;
import io.entroq.server.settings.MembershipSettings;
import io.entroq.server.settings.ServerSettings;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.SettingsRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What starts servers on other machines starts this one. */
class DeployTest {
  private static final Pattern FLAG = Pattern.compile("(?<= )--[a-z_-]+");
  private static final Pattern COMMANDS = Pattern.compile("serve|node --|set --|\\$|ENTROQ_");

  /** Of the launcher, which does not pass it on. */
  private static final String CLASS_DATA = "ENTROQ_CLASS_DATA";

  private static final Pattern VARIABLE = Pattern.compile("ENTROQ_[A-Z_]+");

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "distribution/container/entrypoint.sh",
        "distribution/systemd/entroq.service",
        "distribution/systemd/entroq-node.service"
      })
  void shouldTellAServerOnlyWhatItCanBeTold(String file) throws IOException {
    boolean isNode = file.contains("node");
    Set<String> known = new HashSet<>();
    Set<String> variables = new HashSet<>(Set.of(Settings.FILE_VARIABLE, CLASS_DATA));
    (isNode ? ServerSettings.ofNode() : ServerSettings.all())
        .forEach(
            setting -> {
              known.addAll(List.of(setting.flags()));
              variables.add(setting.variable());
            });
    String text =
        Files.readString(Path.of(file))
            .lines()
            .filter(line -> COMMANDS.matcher(line).find())
            .reduce("", (all, line) -> all + line + "\n");
    Matcher flag = FLAG.matcher(text);
    int flags = 0;
    while (flag.find()) {
      assertThat(known).contains(flag.group());
      flags++;
    }
    assertThat(flags).isPositive();
    Matcher variable = VARIABLE.matcher(text);
    while (variable.find()) {
      assertThat(variables).contains(variable.group());
    }
  }

  /** Its cache is the only directory besides that of the log that a unit may write to. */
  @ParameterizedTest
  @ValueSource(strings = {"entroq.service", "entroq-node.service"})
  void shouldStartUnitsWithClassData(String unit) throws IOException {
    assertThat(Files.readString(Path.of("bin/entroq"))).contains("${" + CLASS_DATA + "-");
    assertThat(Files.readAllLines(Path.of("distribution/systemd").resolve(unit)))
        .contains("CacheDirectory=entroq", "Environment=" + CLASS_DATA + "=%C/entroq")
        .anyMatch(line -> line.startsWith("ExecStart=/usr/bin/entroq "))
        .noneMatch(line -> line.contains("-jar"));
  }

  /** As installed, and with what it comments out: a member of a cluster. */
  @Test
  void shouldInstallAFileOfSettings() throws IOException {
    Path installed = Path.of("distribution/debian/entroq.yml");
    Settings server = Settings.of(List.of(), Optional.of(installed), Map.of());
    SettingsRules.check(server);
    assertThat(server.find(ListeningSettings.HOST)).contains("127.0.0.1");
    Path all =
        Files.writeString(
            directory.resolve("entroq.yml"),
            Files.readString(installed).replaceAll("(?m)^#(?=[a-z])", ""));
    Settings member =
        Settings.of(
            ServerSettings.ofNode(), List.of(), Optional.of(all), Map.of("ENTROQ_DATA", "data"));
    SettingsRules.checkNode(member);
    assertThat(member.get(MembershipSettings.MEMBERS)).hasSize(3);
    assertThat(Files.readAllLines(Path.of("distribution/debian/environment")))
        .contains(Settings.FILE_VARIABLE + "=/etc/entroq/entroq.yml");
  }

  /** The launcher looks beside the jar only if it may write there, and the image's user may not. */
  @Test
  void shouldStartContainersWithClassData() throws IOException {
    assertThat(Files.readString(Path.of("distribution/container/Dockerfile")))
        .containsPattern(
            "(?s)COPY target/entroq.jar /opt/entroq/.*ENV .*ENTROQ_CLASS_DATA=/opt/entroq\\n"
                + "RUN entroq class-data\\n");
  }

  @Test
  void shouldOfferThePortsThatAreStandard() throws IOException {
    assertThat(Files.readString(Path.of("distribution/container/Dockerfile")))
        .contains(
            "EXPOSE %s %s"
                .formatted(
                    ListeningSettings.PORT.defaultText().orElseThrow(),
                    ListeningSettings.HTTP_PORT.defaultText().orElseThrow()))
        .contains("USER 10001", "VOLUME /data", "HEALTHCHECK", "STOPSIGNAL SIGTERM");
  }
}
