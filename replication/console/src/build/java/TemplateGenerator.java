import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.html.OwaspHtmlPolicy;
import gg.jte.html.policy.PreventInlineEventHandlers;
import gg.jte.resolve.DirectoryCodeResolver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Turns templates into Java. Run by Maven, as a source file.
 *
 * <p>What has not changed keeps its time, so that nothing is compiled again.
 */
final class TemplateGenerator {
  private static final String PACKAGE = "io.entroq.console.view.jte";

  private TemplateGenerator() {}

  /**
   * @param args the directory of the templates, and that of the sources
   */
  public static void main(String[] args) throws IOException {
    Path sources = Files.createDirectories(Path.of(args[1]));
    Path fresh = Files.createTempDirectory(sources.toAbsolutePath().getParent(), "jte");
    TemplateEngine engine =
        TemplateEngine.create(
            new DirectoryCodeResolver(Path.of(args[0])), fresh, ContentType.Html, null, PACKAGE);
    OwaspHtmlPolicy policy = new OwaspHtmlPolicy();
    policy.addPolicy(new PreventInlineEventHandlers());
    engine.setHtmlPolicy(policy);
    engine.setTrimControlStructures(true);
    engine.generateAll();
    List<Path> generated = files(fresh);
    for (Path old : files(sources)) {
      if (!generated.contains(old)) {
        Files.delete(sources.resolve(old));
      }
    }
    for (Path file : generated) {
      Path target = sources.resolve(file);
      byte[] text = Files.readAllBytes(fresh.resolve(file));
      if (!Files.exists(target) || !Arrays.equals(text, Files.readAllBytes(target))) {
        Files.createDirectories(target.getParent());
        Files.write(target, text);
      }
    }
    delete(fresh);
  }

  /** Relative to the directory. */
  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).map(directory::relativize).toList();
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
