package io.entroq.server.serving;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.server.settings.ListeningSettings;
import io.entroq.server.settings.MembershipSettings;
import io.entroq.server.settings.ServerSettings;
import io.entroq.server.settings.Setting;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.SettingsRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The compose files start servers of this build. */
class ComposeTest {
  private static final Path COMPOSE = Path.of("distribution/compose");
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void shouldStartThreeMembersThatKnowEachOther() throws IOException {
    Map<String, JsonNode> services = services("cluster.yml");
    Set<String> known =
        ServerSettings.ofNode().stream().map(Setting::variable).collect(Collectors.toSet());
    int id = 0;
    for (Map.Entry<String, JsonNode> service : services.entrySet()) {
      JsonNode member = service.getValue();
      assertThat(member.at("/command/0").asText()).isEqualTo("node");
      Map<String, String> environment = new HashMap<>();
      member
          .at("/environment")
          .properties()
          .forEach(
              each ->
                  environment.put(
                      each.getKey(),
                      each.getValue().asText().replaceAll("\\$\\{\\w+:-(\\w+)}", "$1")));
      assertThat(environment.remove("JAVA_TOOL_OPTIONS")).startsWith("-Xmx1g ");
      assertThat(known).containsAll(environment.keySet());
      Settings settings =
          Settings.of(ServerSettings.ofNode(), List.of(), Optional.empty(), environment);
      SettingsRules.checkNode(settings);
      assertThat(settings.get(MembershipSettings.ID)).isEqualTo(id);
      assertThat(settings.get(MembershipSettings.BOOTSTRAP)).isFalse();
      assertThat(settings.get(MembershipSettings.MEMBERS))
          .extracting(MemberAddress::host)
          .containsExactlyElementsOf(services.keySet());
      // Each has a volume of its own for its directory, and ports of this machine.
      assertThat(member.at("/volumes/0").asText()).isEqualTo("data-" + id + ":/data");
      assertThat(settings.get(MembershipSettings.DATA)).startsWithRaw(Path.of("/data"));
      assertThat(settings.find(MembershipSettings.DRIVER_DIRECTORY))
          .hasValueSatisfying(driver -> assertThat(driver).startsWithRaw(Path.of("/dev/shm")));
      assertThat(member.at("/shm_size").asText()).isEqualTo("512m");
      assertPorts(member, id);
      id++;
    }
    assertThat(id).isEqualTo(3);
  }

  @Test
  void shouldStartAServer() throws IOException {
    JsonNode server = services("server.yml").get("entroq");
    assertThat(server.has("command")).isFalse();
    assertThat(server.at("/volumes/0").asText()).isEqualTo("data:/data");
    assertPorts(server, 0);
  }

  /** On this machine only. */
  private static void assertPorts(JsonNode service, int offset) {
    int place = 0;
    for (Setting<Integer> setting : List.of(ListeningSettings.PORT, ListeningSettings.HTTP_PORT)) {
      int port = Integer.parseInt(setting.defaultText().orElseThrow());
      assertThat(service.at("/ports/" + place).asText())
          .isEqualTo("127.0.0.1:%d:%d".formatted(port + offset, port));
      place++;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"server.yml", "cluster.yml", "observability.yml"})
  void shouldUseFilesThatExist(String name) throws IOException {
    int files = 0;
    for (JsonNode service : services(name).values()) {
      for (JsonNode volume : service.path("volumes")) {
        String source = volume.asText().replaceAll(":.*", "");
        if (source.startsWith(".")) {
          assertThat(COMPOSE.resolve(source)).isRegularFile();
          files++;
        } else {
          assertThat(load(name).path("volumes").has(source)).as(source).isTrue();
        }
      }
      if (service.has("build")) {
        Path context = COMPOSE.resolve(service.at("/build/context").asText());
        assertThat(context.resolve(service.at("/build/dockerfile").asText())).isRegularFile();
        files++;
      }
    }
    assertThat(files).isPositive();
    for (JsonNode included : load(name).path("include")) {
      assertThat(COMPOSE.resolve(included.asText())).isRegularFile();
    }
  }

  /** The alerts know it. */
  @Test
  void shouldNameTheJobAsTheAlertsDo() throws IOException {
    JsonNode prometheus = load("prometheus.yml");
    String job = prometheus.at("/scrape_configs/0/job_name").asText();
    for (JsonNode file : prometheus.at("/rule_files")) {
      assertThat(Files.readString(Path.of("deploy/observability").resolve(file.asText())))
          .contains("job=\"" + job + "\"");
    }
    for (JsonNode member : services("cluster.yml").values()) {
      assertThat(member.at("/networks/default/aliases/0"))
          .isEqualTo(prometheus.at("/scrape_configs/0/dns_sd_configs/0/names/0"));
    }
  }

  /** Prometheus takes none of a file with a rule that it cannot parse. */
  @Test
  void shouldMatchVectorsWithVectorsInRules() throws IOException {
    for (JsonNode file : load("prometheus.yml").at("/rule_files")) {
      assertThat(Files.readString(Path.of("deploy/observability").resolve(file.asText())))
          .doesNotContainPattern("[0-9] *[-+*/<>=]+ *(ignoring|on)\\b");
    }
  }

  /** By name, in the order of the names. */
  private static Map<String, JsonNode> services(String name) throws IOException {
    Map<String, JsonNode> services = new TreeMap<>();
    load(name)
        .path("services")
        .properties()
        .forEach(each -> services.put(each.getKey(), each.getValue()));
    assertThat(services).isNotEmpty();
    return services;
  }

  private static JsonNode load(String name) throws IOException {
    return JSON.valueToTree(
        new Yaml(new SafeConstructor(new LoaderOptions()))
            .<Object>load(Files.readString(COMPOSE.resolve(name))));
  }
}
