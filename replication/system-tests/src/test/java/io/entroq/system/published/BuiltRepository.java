package io.entroq.system.published;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A local repository of Maven with what this build has made, beside links to the libraries that the
 * build itself has used. So nothing has to be installed or fetched, and nothing else of ours is
 * found.
 */
final class BuiltRepository {
  static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

  private static final String GROUP = "io";
  private static final String OURS = "entroq";
  private static final String UNPUBLISHED = "<maven.deploy.skip>true</maven.deploy.skip>";
  private static final Pattern MODULE = Pattern.compile("<module>(.+?)</module>");
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(entroq-[a-z-]+)<");
  private static final Pattern VERSION =
      Pattern.compile("<artifactId>entroq-parent</artifactId>\\s*<version>(.+?)</version>");

  private final Path directory;
  private final String rootPom = Files.readString(ROOT.resolve("pom.xml"));
  private final String version = find(VERSION, rootPom, 1);

  private BuiltRepository(Path directory) throws IOException {
    this.directory = directory;
  }

  /**
   * Makes the repository, in place of what is there.
   *
   * @param libraries the repository that the build uses
   */
  static BuiltRepository in(Path directory, Path libraries) throws IOException {
    delete(directory);
    Files.createDirectories(directory);
    BuiltRepository repository = new BuiltRepository(directory);
    link(libraries, directory, GROUP);
    link(libraries.resolve(GROUP), Files.createDirectory(directory.resolve(GROUP)), OURS);
    repository.putPom("entroq-parent", ROOT.resolve("pom.xml"));
    for (String module :
        MODULE.matcher(repository.rootPom).results().map(m -> m.group(1)).toList()) {
      repository.put(ROOT.resolve(module));
    }
    return repository;
  }

  /** Removes links, but not what they lead to. */
  private static void delete(Path directory) throws IOException {
    List<Path> paths = List.of();
    if (Files.exists(directory)) {
      try (Stream<Path> all = Files.walk(directory)) {
        paths = all.sorted(Comparator.reverseOrder()).toList();
      }
    }
    for (Path path : paths) {
      Files.delete(path);
    }
  }

  private static void link(Path from, Path to, String excluded) throws IOException {
    List<Path> entries;
    try (Stream<Path> all = Files.list(from)) {
      entries = all.toList();
    }
    for (Path entry : entries) {
      if (!entry.getFileName().toString().equals(excluded)) {
        Files.createSymbolicLink(to.resolve(entry.getFileName()), entry.toAbsolutePath());
      }
    }
  }

  /** Puts a module's artifact there, if it is published and has been built. */
  private void put(Path module) throws IOException {
    Path file = module.resolve("pom.xml");
    String pom = Files.readString(file);
    boolean isBom = !pom.contains("<parent>");
    // The first is that of the parent.
    String artifact = find(ARTIFACT, pom, isBom ? 1 : 2);
    Path jar = module.resolve(Path.of("target", artifact + "-" + version + ".jar"));
    if (isBom) {
      putPom(artifact, file);
    } else if (!pom.contains(UNPUBLISHED) && Files.exists(jar)) {
      putPom(artifact, file);
      Files.copy(jar, file(artifact, "jar"));
    }
  }

  private void putPom(String artifact, Path pom) throws IOException {
    Path target = file(artifact, "pom");
    if (Files.notExists(target)) {
      Files.createDirectories(target.getParent());
      Files.copy(pom, target);
    }
  }

  private Path file(String artifact, String type) {
    return directory.resolve(
        Path.of(GROUP, OURS, artifact, version, artifact + "-" + version + "." + type));
  }

  /** The version of everything of ours. */
  String version() {
    return version;
  }

  /** The version of a plugin of Maven that the build uses. */
  String pluginVersion(String plugin) {
    Pattern version =
        Pattern.compile("<artifactId>" + plugin + "</artifactId>\\s*<version>(.+?)</version>");
    return find(version, rootPom, 1);
  }

  private static String find(Pattern pattern, String text, int occurrence) {
    Matcher found = pattern.matcher(text);
    for (int i = 0; i < occurrence; i++) {
      if (!found.find()) {
        throw new IllegalStateException("no " + pattern);
      }
    }
    return found.group(1);
  }
}
