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
        Settings.of(NodeSettings.all(), List.of(), Optional.of(file), Map.of("ENTROQ_ID", "1"));
    SettingsRules.checkNode(settings);
    assertThat(settings.get(MembershipSettings.MEMBERS))
        .extracting(MemberAddress::ingress)
        .containsExactly("10.0.0.1:9200", "10.0.0.2:9200", "[::1]:9300");
    assertThat(settings.get(MembershipSettings.ID)).isEqualTo(1);
    assertThat(settings.get(MembershipSettings.DURABILITY)).isEqualTo(Durability.DISK);
    assertThat(settings.get(ListeningSettings.PORT)).isEqualTo(4_000);
    // What asks whether it is ready is told the same.
    Settings either =
        Settings.of(NodeSettings.orOfServer(), List.of(), Optional.of(file), Map.of());
    assertThat(either.get(ListeningSettings.PORT)).isEqualTo(4_000);
  }

  @Test
  void shouldPrintAFileThatSaysTheSame() throws IOException {
    Settings settings = settings(MEMBERS + " ID=0 DATA=d BOOTSTRAP=true HEARTBEAT_TIMEOUT=300ms");
    Path file = Files.writeString(directory.resolve("node.yml"), SettingsText.of(settings));
    Settings again = Settings.of(NodeSettings.all(), List.of(), Optional.of(file), Map.of());
    for (Setting<?> setting : NodeSettings.all()) {
      assertThat(again.find(setting)).as(setting.name()).isEqualTo(settings.find(setting));
    }
  }

  @Test
  void shouldHaveEachNameOnceAndOfOneTypeInBothTables() {
    Map<String, Setting<?>> server = new HashMap<>();
    ServerSettings.all().forEach(setting -> server.put(setting.name(), setting));
    List<String> names = new ArrayList<>();
    for (Setting<?> setting : NodeSettings.all()) {
      names.add(setting.name());
      Setting<?> same = server.get(setting.name());
      if (same != null && setting.standard().isPresent() && same.standard().isPresent()) {
        Class<?> type = setting.kind().read(setting.standard().get()).getClass();
        assertThat(same.kind().read(same.standard().get())).isInstanceOf(type);
      }
    }
    assertThat(names).doesNotHaveDuplicates();
  }

  @Test
  void shouldTakeNoLongerCommandsThanTheLogOfACluster() {
    Settings settings = settings(MEMBERS + " ID=0 DATA=d");
    assertThat(settings.get(BoundSettings.COMMAND_BYTES_MAX))
        .isEqualTo(MemberConfig.COMMAND_BYTES_MAX);
  }

  @Test
  void shouldDeriveWhatIsNotSaidOfPatience() {
    assertThat(MembershipRules.liveness(settings(MEMBERS))).isEqualTo(Liveness.DEFAULT);
    Liveness liveness =
        MembershipRules.liveness(
            settings("HEARTBEAT_TIMEOUT=200ms ELECTION_TIMEOUT=1s SESSION_TIMEOUT=3s"));
    assertThat(liveness.heartbeatInterval()).isEqualTo(Duration.ofMillis(20));
    assertThat(liveness.electionTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(liveness.sessionTimeout()).isEqualTo(Duration.ofSeconds(3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DATA=d ID=0 | --members: is missing, or ENTROQ_MEMBERS",
        "DATA=d MEMBERS=a:1,b:1,c:1 | --id: is missing, or ENTROQ_ID",
        "ID=0 MEMBERS=a:1,b:1,c:1 | --data: is missing, or ENTROQ_DATA",
        "DATA=d ID=0 MEMBERS=a:1 | ENTROQ_MEMBERS: names 1; a cluster has 3, 5 or 7 members",
        "DATA=d ID=0 MEMBERS=a:1,b:1 | ENTROQ_MEMBERS: names 2; a cluster has",
        "DATA=d ID=0 MEMBERS=a:1,b:1,c:1,d:1 | ENTROQ_MEMBERS: names 4; a cluster has",
        "DATA=d ID=3 MEMBERS=a:1,b:1,c:1 | ENTROQ_ID: there is no member 3; with 3 members it may",
        "DATA=d ID=7 MEMBERS=a:1,b:1,c:1 | ENTROQ_ID: '7' is wrong, it may be from 0 to 6",
        "DATA=d ID=-1 MEMBERS=a:1,b:1,c:1 | ENTROQ_ID: '-1' is wrong, it may be from 0 to 6",
        "DATA=d ID=0 MEMBERS=a:1,a:1,c:1 | ENTROQ_MEMBERS: a:1 belongs to two members",
        "DATA=d ID=0 MEMBERS=a:10,a:14,c:1 | ENTROQ_MEMBERS: a:14 belongs to two members",
        "MEMBERS=a | ENTROQ_MEMBERS: 'a' is wrong, it may be a list such as 10.0.0.1:9200,",
        "MEMBERS=:1,b:1,c:1 | ENTROQ_MEMBERS: ':1,b:1,c:1' is wrong",
        "MEMBERS=a:1,,c:1 | ENTROQ_MEMBERS: 'a:1,,c:1' is wrong",
        "MEMBERS=a:65532,b:1,c:1 | ENTROQ_MEMBERS: 'a:65532,b:1,c:1' is wrong",
        "MEMBERS=a:99999999999,b:1,c:1 | ENTROQ_MEMBERS: 'a:99999999999,b:1,c:1' is wrong",
        "DURABILITY=none | ENTROQ_DURABILITY: 'none' is wrong, it may be os, disk",
        "COMMAND_BYTES_MAX=2MiB | ENTROQ_COMMAND_BYTES_MAX: '2MiB' is wrong, it may be from 1KiB",
        "DATA=d ID=0 MEMBERS=a:1,b:1,c:1 HEARTBEAT_INTERVAL=2s | --heartbeat-timeout and its like:",
        "DATA=d ID=0 MEMBERS=a:1,b:1,c:1 CANVASS_TIMEOUT=1s | --heartbeat-timeout and its like:",
        "DATA=d ID=0 MEMBERS=a:1,b:1,c:1 TLS_CERT=a | ENTROQ_TLS_CERT: needs --tls-key",
      })
  void shouldRefuseWhatNoMemberCanBeTold(String told, String said) {
    assertThatThrownBy(() -> SettingsRules.checkNode(settings(told)))
        .isInstanceOf(WrongSettingException.class)
        .hasMessageStartingWith(said);
  }

  private static Settings settings(String told) {
    Map<String, String> environment = new HashMap<>();
    for (String word : told.split(" ", 0)) {
      String[] parts = word.split("=", 2);
      environment.put("ENTROQ_" + parts[0], parts[1]);
    }
    return Settings.of(NodeSettings.all(), List.of(), Optional.empty(), environment);
  }
}
