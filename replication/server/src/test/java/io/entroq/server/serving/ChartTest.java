package io.entroq.server.serving;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.server.cli.admin.MembersCommand;
import io.entroq.server.cli.admin.ReplaceMemberCommand;
import io.entroq.server.settings.ListeningSettings;
import io.entroq.server.settings.MembershipSettings;
import io.entroq.server.settings.ServerSettings;
import io.entroq.server.settings.Setting;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.SettingsRules;
import io.entroq.server.settings.ShutdownSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import picocli.CommandLine;

/** The chart, as rendered by {@code .ci/chart}, starts members of this build. */
class ChartTest {
  private static final Path HELM = Path.of("distribution/helm");
  private static final Path CHART = HELM.resolve("entroq");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What the JVM needs besides heap and direct memory. */
  private static final long JVM_BYTES = 512L << 20;

  /**
   * What the driver's files need at most: 50 MiB, and three terms of 16 MiB for the log, and at the
   * leader for the commands of each member. And as much again, as after a change of the leader.
   */
  private static final long DRIVER_BYTES = 512L << 20;

  /** To close the log and the member. */
  private static final int CLOSE_SECONDS = 20;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"default", "full"})
  void shouldBeRenderedFromTheseFiles(String name) throws Exception {
    assertThat(Files.readAllLines(rendered(name)).get(0))
        .as("run .ci/chart")
        .isEqualTo("# Rendered by .ci/chart from the files with the digest " + digest());
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "full"})
  void shouldGiveMembersSettingsThatTheyTake(String name) throws IOException {
    List<JsonNode> all = load(rendered(name));
    JsonNode set = only(all, "StatefulSet");
    int members = set.at("/spec/replicas").asInt();
    for (int id = 0; id < members; id++) {
      Map<String, String> environment = environment(all, set, id);
      Settings settings =
          Settings.of(ServerSettings.ofNode(), List.of(), Optional.empty(), environment);
      SettingsRules.checkNode(settings);
      assertThat(settings.get(MembershipSettings.ID)).isEqualTo(id);
      assertThat(settings.get(MembershipSettings.BOOTSTRAP)).isFalse();
      List<MemberAddress> addresses = settings.get(MembershipSettings.MEMBERS);
      assertThat(addresses).hasSize(members);
      assertThat(addresses.get(id).host())
          .isEqualTo(
              "%s-%d.%s.entroq.svc.cluster.local"
                  .formatted(name(set), id, set.at("/spec/serviceName").asText()));
      assertThat(numbers(container(set).at("/ports"), "UDP"))
          .isEqualTo(
              addresses.get(id).endpoints().stream()
                  .map(endpoint -> Integer.valueOf(endpoint.replaceAll(".*:", "")))
                  .collect(Collectors.toCollection(TreeSet::new)));
    }
    assertThat(numbers(container(set).at("/ports"), "TCP"))
        .containsExactlyInAnyOrder(
            defaultOf(ListeningSettings.PORT), defaultOf(ListeningSettings.HTTP_PORT));
  }

  /** The variables of a member, with the configuration file where the test can read it. */
  private Map<String, String> environment(List<JsonNode> all, JsonNode set, int id)
      throws IOException {
    Set<String> known =
        ServerSettings.ofNode().stream().map(Setting::variable).collect(Collectors.toSet());
    Map<String, String> environment = new HashMap<>();
    for (JsonNode variable : container(set).at("/env")) {
      String key = variable.at("/name").asText();
      String value = variable.at("/value").asText();
      if (variable.has("valueFrom")) {
        JsonNode source = variable.at("/valueFrom/configMapKeyRef");
        value =
            source.isMissingNode()
                ? Integer.toString(id)
                : named(all, "ConfigMap", source.at("/name").asText())
                    .at("/data/" + source.at("/key").asText())
                    .asText();
      }
      if (key.equals(Settings.FILE_VARIABLE)) {
        Path file = directory.resolve("entroq.yml");
        Files.writeString(
            file, named(all, "ConfigMap", name(set)).at("/data/" + file.getFileName()).asText());
        environment.put(key, file.toString());
      } else if (key.startsWith("ENTROQ_")) {
        assertThat(known).contains(key);
        environment.put(key, value);
      }
      if (value.startsWith("/")) {
        assertThat(mountPaths(set)).anyMatch(value::startsWith);
      }
    }
    return environment;
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "full"})
  void shouldLetMembersFindEachOtherBeforeTheyAreReady(String name) throws IOException {
    List<JsonNode> all = load(rendered(name));
    JsonNode set = only(all, "StatefulSet");
    assertThat(set.at("/spec/podManagementPolicy").asText()).isEqualTo("Parallel");
    JsonNode names = named(all, "Service", set.at("/spec/serviceName").asText());
    assertThat(names.at("/spec/clusterIP").asText()).isEqualTo("None");
    assertThat(names.at("/spec/publishNotReadyAddresses").asBoolean()).isTrue();
    JsonNode labels = set.at("/spec/template/metadata/labels");
    for (JsonNode selector :
        List.of(
            set.at("/spec/selector/matchLabels"),
            names.at("/spec/selector"),
            named(all, "Service", name(set)).at("/spec/selector"),
            only(all, "PodDisruptionBudget").at("/spec/selector/matchLabels"),
            only(all, "NetworkPolicy").at("/spec/podSelector/matchLabels"),
            only(all, "NetworkPolicy").at("/spec/ingress/0/from/0/podSelector/matchLabels"))) {
      assertThat(selector.isObject()).isTrue();
      assertThat(selects(selector, labels)).isTrue();
    }
    assertThat(only(all, "PodDisruptionBudget").at("/spec/maxUnavailable").asInt()).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "full"})
  void shouldHaveRoomForMemoryAndTimeToStop(String name) throws IOException {
    JsonNode set = only(load(rendered(name)), "StatefulSet");
    JsonNode container = container(set);
    String java = env(container, "JAVA_TOOL_OPTIONS");
    long shared = 0;
    for (JsonNode volume : set.at("/spec/template/spec/volumes")) {
      if (volume.at("/emptyDir/medium").asText().equals("Memory")) {
        shared += bytes(volume.at("/emptyDir/sizeLimit").asText());
      }
    }
    assertThat(shared).isGreaterThanOrEqualTo(DRIVER_BYTES);
    assertThat(
            option(java, "-Xmx(\\S+)")
                + option(java, "-XX:MaxDirectMemorySize=(\\S+)")
                + shared
                + JVM_BYTES)
        .isLessThanOrEqualTo(bytes(container.at("/resources/limits/memory").asText()));
    int before = container.at("/lifecycle/preStop/exec/command/1").asInt();
    long drain =
        Settings.of(ServerSettings.ofNode(), List.of(), Optional.empty(), Map.of())
            .get(ShutdownSettings.DRAIN_TIMEOUT)
            .toSeconds();
    assertThat(set.at("/spec/template/spec/terminationGracePeriodSeconds").asLong())
        .isGreaterThanOrEqualTo(before + drain + CLOSE_SECONDS);
  }

  @Test
  void shouldAskPagesThatAServerHas() throws Exception {
    JsonNode container = container(only(load(rendered("default")), "StatefulSet"));
    Settings settings =
        Settings.of(
            List.of(),
            Optional.empty(),
            Map.of("ENTROQ_PORT", "0", "ENTROQ_HTTP_PORT", "0", "ENTROQ_HOST", "127.0.0.1"));
    try (EntroqServer server = EntroqServer.start(settings)) {
      for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
        JsonNode page = container.at("/" + probe + "/httpGet");
        assertThat(page.at("/port").asText()).isEqualTo("http");
        URI uri = URI.create("http://127.0.0.1:" + server.httpPort() + page.at("/path").asText());
        assertThat(
                HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .statusCode())
            .as(probe)
            .isEqualTo(200);
      }
    }
  }

  /** A job and a test run commands, whose arguments must be right. */
  @Test
  void shouldRunCommandsWithArgumentsThatTheyTake() throws IOException {
    List<JsonNode> all = load(rendered("full"));
    JsonNode set = only(all, "StatefulSet");
    JsonNode job = only(all, "Job");
    List<String> arguments = texts(container(job).at("/args"));
    parse("replace-member", new ReplaceMemberCommand(), arguments);
    assertThat(arguments).contains("--members=" + env(container(set), "ENTROQ_MEMBERS"));
    assertThat(arguments)
        .contains("--data=" + env(container(set), "ENTROQ_DATA"))
        .contains("--driver-directory=" + env(container(set), "ENTROQ_DRIVER_DIRECTORY"))
        .contains("--secret-file=" + env(container(set), "ENTROQ_SECRET_FILE"));
    // Its packets pass, and it takes none of the members'.
    JsonNode labels = job.at("/spec/template/metadata/labels");
    JsonNode policy = only(all, "NetworkPolicy");
    assertThat(selects(policy.at("/spec/ingress/0/from/0/podSelector/matchLabels"), labels))
        .isTrue();
    assertThat(selects(set.at("/spec/selector/matchLabels"), labels)).isFalse();
    assertThat(selects(named(all, "Service", name(set)).at("/spec/selector"), labels)).isFalse();
    String claim = job.at("/spec/template/spec/volumes/0/persistentVolumeClaim/claimName").asText();
    assertThat(claim)
        .isEqualTo(
            "%s-%s-1"
                .formatted(
                    set.at("/spec/volumeClaimTemplates/0/metadata/name").asText(), name(set)));

    parse("members", new MembersCommand(), texts(only(all, "Pod").at("/spec/containers/0/args")));
    assertThat(container(set).at("/args/0").asText()).isEqualTo("node");
  }

  private static void parse(String name, Object command, List<String> arguments) {
    assertThat(arguments.get(0)).isEqualTo(name);
    new CommandLine(command).parseArgs(arguments.stream().skip(1).toArray(String[]::new));
  }

  @Test
  void shouldBeOfThisVersion() throws IOException {
    JsonNode chart = load(CHART.resolve("Chart.yaml")).get(0);
    Matcher version =
        Pattern.compile("<version>(.*?)</version>").matcher(Files.readString(Path.of("pom.xml")));
    assertThat(version.find()).isTrue();
    assertThat(chart.at("/appVersion").asText()).isEqualTo(version.group(1));
    assertThat(version.group(1)).startsWith(chart.at("/version").asText());
  }

  private static Path rendered(String name) {
    return HELM.resolve("rendered").resolve(name + ".yaml");
  }

  /** As {@code .ci/chart} computes it: of the chart's own files and the values of renderings. */
  private static String digest() throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (Stream<Path> files = Files.walk(HELM)) {
      for (Path file :
          files
              .filter(each -> !each.startsWith(HELM.resolve("rendered")))
              .filter(each -> Files.isRegularFile(each) && !Files.isSymbolicLink(each))
              .sorted((one, two) -> one.toString().compareTo(two.toString()))
              .toList()) {
        digest.update(HELM.relativize(file).toString().getBytes(UTF_8));
        digest.update(Files.readAllBytes(file));
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static List<JsonNode> load(Path file) throws IOException {
    List<JsonNode> all = new ArrayList<>();
    for (Object document :
        new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(Files.readString(file))) {
      if (document != null) {
        all.add(JSON.valueToTree(document));
      }
    }
    return all;
  }

  private static JsonNode only(List<JsonNode> all, String kind) {
    List<JsonNode> found =
        all.stream().filter(each -> each.at("/kind").asText().equals(kind)).toList();
    assertThat(found).as(kind).hasSize(1);
    return found.get(0);
  }

  private static JsonNode named(List<JsonNode> all, String kind, String name) {
    return only(all.stream().filter(each -> name(each).equals(name)).toList(), kind);
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }

  private static JsonNode container(JsonNode workload) {
    return workload.at("/spec/template/spec/containers/0");
  }

  private static String env(JsonNode container, String name) {
    return StreamSupport.stream(container.at("/env").spliterator(), false)
        .filter(each -> each.at("/name").asText().equals(name))
        .map(each -> each.at("/value").asText())
        .collect(Collectors.joining());
  }

  private static List<String> mountPaths(JsonNode set) {
    Set<String> volumes = new TreeSet<>();
    set.at("/spec/template/spec/volumes").forEach(each -> volumes.add(each.at("/name").asText()));
    set.at("/spec/volumeClaimTemplates").forEach(each -> volumes.add(name(each)));
    List<String> paths = new ArrayList<>();
    for (JsonNode mount : container(set).at("/volumeMounts")) {
      assertThat(volumes).contains(mount.at("/name").asText());
      paths.add(mount.at("/mountPath").asText());
    }
    return paths;
  }

  private static Set<Integer> numbers(JsonNode ports, String protocol) {
    Set<Integer> numbers = new TreeSet<>();
    for (JsonNode port : ports) {
      if (port.path("protocol").asText("TCP").equals(protocol)) {
        numbers.add(port.at("/containerPort").asInt());
      }
    }
    return numbers;
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  private static boolean selects(JsonNode selector, JsonNode labels) {
    List<String> names = new ArrayList<>();
    selector.fieldNames().forEachRemaining(names::add);
    return names.stream().allMatch(name -> selector.get(name).equals(labels.get(name)));
  }

  private static int defaultOf(Setting<Integer> setting) {
    return Integer.parseInt(setting.defaultText().orElseThrow());
  }

  private static long option(String options, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(options);
    assertThat(matcher.find()).as(pattern).isTrue();
    return bytes(matcher.group(1));
  }

  /** Sizes as Kubernetes and Java write them, with binary units. */
  private static long bytes(String text) {
    Matcher matcher = Pattern.compile("(\\d+)([kmgKMG])i?").matcher(text);
    assertThat(matcher.matches()).as(text).isTrue();
    int shift = 10 * (1 + "kmg".indexOf(Character.toLowerCase(matcher.group(2).charAt(0))));
    return Long.parseLong(matcher.group(1)) << shift;
  }
}
