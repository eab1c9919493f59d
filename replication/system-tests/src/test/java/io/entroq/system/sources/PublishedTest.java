package io.entroq.system.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is published: each artifact has a name for the module path, and is in the BOM. */
class PublishedTest {
  private static final String BOM = "codec/bom";
  private static final Pattern MODULE = Pattern.compile("<module>(.+?)</module>");
  private static final Pattern NAME = Pattern.compile("<module.name>(.+?)</module.name>");
  private static final Pattern ARTIFACT =
      Pattern.compile("<artifactId>(entroq-[a-z-]+)</artifactId>");
  private static final Pattern VERSION =
      Pattern.compile(
          "<groupId>io.entroq</groupId>\\s*<artifactId>.+?</artifactId>\\s*<version>(.+?)<");
  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "<dependency>\\s*<groupId>io.entroq</groupId>\\s*<artifactId>(.+?)</artifactId>(.*?)</dependency>",
          Pattern.DOTALL);
  private static final String UNPUBLISHED = "<maven.deploy.skip>true</maven.deploy.skip>";

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }

  private static String pom(String module) throws IOException {
    return Files.readString(Sources.ROOT.resolve(module).resolve("pom.xml"));
  }

  @Test
  void shouldNameAndListEachPublishedArtifact() throws IOException {
    Set<String> published = new TreeSet<>();
    Set<String> names = new HashSet<>();
    for (String module : all(MODULE, pom("."))) {
      String pom = pom(module);
      if (module.equals(BOM) || pom.contains(UNPUBLISHED)) {
        continue;
      }
      List<String> name = all(NAME, pom);
      assertThat(name).as("module.name of %s", module).hasSize(1);
      assertThat(names.add(name.get(0))).as("%s is used once", name).isTrue();
      // The first is that of the parent.
      published.add(all(ARTIFACT, pom).get(1));
    }
    // The first is its own.
    assertThat(all(ARTIFACT, pom(BOM)).stream().skip(1)).containsExactlyElementsOf(published);
  }

  @Test
  void shouldNeedNothingThatIsNotPublished() throws IOException {
    List<String> published = all(ARTIFACT, pom(BOM));
    for (String module : all(MODULE, pom("."))) {
      String pom = pom(module);
      if (module.equals(BOM) || pom.contains(UNPUBLISHED)) {
        continue;
      }
      List<String> needed =
          DEPENDENCY
              .matcher(pom)
              .results()
              .filter(found -> !found.group(2).contains("<scope>test</scope>"))
              .map(found -> found.group(1))
              .toList();
      assertThat(published).as("what %s needs", module).containsAll(needed);
    }
  }

  @Test
  void shouldHaveOneVersion() throws IOException {
    String version = all(VERSION, pom(".")).get(0);
    assertThat(all(VERSION, pom(BOM)).get(0)).isEqualTo(version);
  }
}
