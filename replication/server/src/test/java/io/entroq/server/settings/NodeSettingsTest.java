package io.entroq.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Durability;
import io.entroq.cluster.member.Liveness;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.MemberConfig;
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

class NodeSettingsTest {
  private static final String MEMBERS = "MEMBERS=a:9200,b:9200,c:9200";

  @TempDir private Path directory;

  @Test
  void shouldReadAllMembersFromAFile() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("node.yml"),
            "members: 10.0.0.1:9200, 10.0.0.2:9200, '[::1]:9300'\nid: 2\ndata: d\nport: 4000\n"
                .replace("'", ""));
    Settings settings =
        Settings.of(
            ServerSettings.ofNode(), List.of(), Optional.of(file), Map.of("ENTROQ_ID", "1"));
    SettingsRules.checkNode(settings);
    assertThat(settings.get(MembershipSettings.MEMBERS))
        .extracting(MemberAddress::ingress)
        .containsExactly("10.0.0.1:9200", "10.0.0.2:9200", "[::1]:9300");
    assertThat(settings.get(MembershipSettings.ID)).isEqualTo(1);
    assertThat(settings.get(MembershipSettings.DURABILITY)).isEqualTo(Durability.DISK);
    assertThat(settings.get(ListeningSettings.PORT)).isEqualTo(4_000);
    // What asks whether it is ready is told the same.
    Settings either =
        Settings.of(ServerSettings.ofEither(), List.of(), Optional.of(file), Map.of());
    assertThat(either.get(ListeningSettings.PORT)).isEqualTo(4_000);
  }

  @Test
  void shouldPrintAFileThatSaysTheSame() throws IOException {
    Settings settings = settings(MEMBERS + " ID=0 DATA=d BOOTSTRAP=true HEARTBEAT_TIMEOUT=300ms");
    Path file = Files.writeString(directory.resolve("node.yml"), SettingsText.of(settings));
    Settings again = Settings.of(ServerSettings.ofNode(), List.of(), Optional.of(file), Map.of());
    for (Setting<?> setting : ServerSettings.ofNode()) {
      assertThat(again.find(setting)).as(setting.name()).isEqualTo(settings.find(setting));
    }
  }

  @Test
  void shouldHaveEachNameOnceAndOfOneTypeInBothTables() {
    Map<String, Setting<?>> server = new HashMap<>();
    ServerSettings.all().forEach(setting -> server.put(setting.name(), setting));
    List<String> names = new ArrayList<>();
    for (Setting<?> setting : ServerSettings.ofNode()) {
      names.add(setting.name());
      Setting<?> same = server.get(setting.name());
      if (same != null && setting.defaultText().isPresent() && same.defaultText().isPresent()) {
        Class<?> type = setting.type().parse(setting.defaultText().get()).getClass();
        assertThat(same.type().parse(same.defaultText().get())).isInstanceOf(type);
      }
    }
    assertThat(names).doesNotHaveDuplicates();
  }

  @Test
  void shouldTakeNoLongerCommandsThanTheLogOfACluster() {
    Settings settings = settings(MEMBERS + " ID=0 DATA=d");
    assertThat(settings.get(LimitSettings.COMMAND_BYTES_MAX))
        .isEqualTo(MemberConfig.COMMAND_BYTES_MAX);
  }

  @Test
  void shouldDeriveWhatIsNotSaidOfPatience() {
    assertThat(MembershipRules.liveness(settings(MEMBERS))).isEqualTo(Liveness.DEFAULT);
    Liveness liveness =
        MembershipRules.liveness(
            settings("HEARTBEAT_TIMEOUT=200ms ELECTION_TIMEOUT=1s SESSION_TIMEOUT=3s"));
    assertThat(liveness.heartbeatInterval()).isEqualTo(Duration.ofMillis(10));
    assertThat(liveness.electionTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(liveness.sessionTimeout()).isEqualTo(Duration.ofSeconds(3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DATA=d ID=0 | --members or ENTROQ_MEMBERS is required",
        "DATA=d MEMBERS=a:1,b:1,c:1 | --id or ENTROQ_ID is required",
        "ID=0 MEMBERS=a:1,b:1,c:1 | --data or ENTROQ_DATA is required",
        "DATA=d ID=0 MEMBERS=a:1 | ENTROQ_MEMBERS: lists 1 member(s); a cluster has 3, 5 or 7",
        "DATA=d ID=0 MEMBERS=a:1,b:1 | ENTROQ_MEMBERS: lists 2 member(s); a cluster has",
        "DATA=d ID=0 MEMBERS=a:1,b:1,c:1,d:1 | ENTROQ_MEMBERS: lists 4 member(s); a cluster has",
        "DATA=d ID=3 MEMBERS=a:1,b:1,c:1 | ENTROQ_ID: there is no member 3; with 3 members, ids are 0 to 2",
        "DATA=d ID=7 MEMBERS=a:1,b:1,c:1 | ENTROQ_ID: invalid value '7': expected 0 to 6",
        "DATA=d ID=-1 MEMBERS=a:1,b:1,c:1 | ENTROQ_ID: invalid value '-1': expected 0 to 6",
        "DATA=d ID=0 MEMBERS=a:1,a:1,c:1 | ENTROQ_MEMBERS: a:1 belongs to two members",
        "DATA=d ID=0 MEMBERS=a:10,a:14,c:1 | ENTROQ_MEMBERS: a:14 belongs to two members",
        "MEMBERS=a | ENTROQ_MEMBERS: invalid value 'a': expected a list such as 10.0.0.1:9200,",
        "MEMBERS=:1,b:1,c:1 | ENTROQ_MEMBERS: invalid value ':1,b:1,c:1'",
        "MEMBERS=a:1,,c:1 | ENTROQ_MEMBERS: invalid value 'a:1,,c:1'",
        "MEMBERS=a:65532,b:1,c:1 | ENTROQ_MEMBERS: invalid value 'a:65532,b:1,c:1'",
        "MEMBERS=a:99999999999,b:1,c:1 | ENTROQ_MEMBERS: invalid value 'a:99999999999,b:1,c:1'",
        "DURABILITY=none | ENTROQ_DURABILITY: invalid value 'none': expected os or disk",
        "COMMAND_BYTES_MAX=2MiB | ENTROQ_COMMAND_BYTES_MAX: invalid value '2MiB': expected 1KiB",
        "DATA=d ID=0 MEMBERS=a:1,b:1,c:1 HEARTBEAT_INTERVAL=2s | timeouts do not fit together:",
        "DATA=d ID=0 MEMBERS=a:1,b:1,c:1 CANVASS_TIMEOUT=1s | timeouts do not fit together:",
        "DATA=d ID=0 MEMBERS=a:10,b:1,c:1 HISTORY=7d MIRROR=false | ENTROQ_HISTORY: needs --mirror",
        "DATA=d ID=0 MEMBERS=a:1,b:1,c:1 TLS_CERT=a | ENTROQ_TLS_CERT: needs --tls-key",
      })
  void shouldRefuseWhatNoMemberCanBeTold(String told, String said) {
    assertThatThrownBy(() -> SettingsRules.checkNode(settings(told)))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith(said);
  }

  private static Settings settings(String told) {
    Map<String, String> environment = new HashMap<>();
    for (String word : told.split(" ", 0)) {
      String[] parts = word.split("=", 2);
      environment.put("ENTROQ_" + parts[0], parts[1]);
    }
    return Settings.of(ServerSettings.ofNode(), List.of(), Optional.empty(), environment);
  }
}
