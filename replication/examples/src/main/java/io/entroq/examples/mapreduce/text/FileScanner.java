package io.entroq.examples.mapreduce.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Lists the text files below a directory. Skips hidden files and directories such as {@code .git},
 * directories named {@code target}, symbolic links and other files that are not regular, and binary
 * files, which have a zero byte among the first 8,192.
 */
public final class FileScanner extends SimpleFileVisitor<Path> {
  private static final int PROBE_BYTES = 8_192;

  private final Path root;
  private final Path excluded;
  private final BooleanSupplier isStopped;
  private final List<ListedFile> files = new ArrayList<>();
  private final List<String> unreadable = new ArrayList<>();
  private long binaryFiles;

  private FileScanner(Path root, Path excluded, BooleanSupplier isStopped) {
    this.root = root;
    this.excluded = excluded;
    this.isStopped = isStopped;
  }

  /**
   * Lists a directory.
   *
   * @param root the directory, a real path
   * @param excluded a directory to skip, also a real path
   * @param isStopped whether to stop; the listing is then incomplete
   * @throws IOException if the directory itself cannot be read
   */
  public static FileListing scan(Path root, Path excluded, BooleanSupplier isStopped)
      throws IOException {
    FileScanner scanner = new FileScanner(root, excluded, isStopped);
    Files.walkFileTree(root, scanner);
    scanner.files.sort(Comparator.comparing(ListedFile::path));
    return new FileListing(root, scanner.files, scanner.binaryFiles, scanner.unreadable);
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
    if (isStopped.getAsBoolean()) {
      return FileVisitResult.TERMINATE;
    }
    boolean skip = !directory.equals(root) && isSkippedDirectory(directory);
    return skip ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
  }

  private boolean isSkippedDirectory(Path directory) {
    String name = directory.getFileName().toString();
    return isHidden(name) || name.equals("target") || directory.equals(excluded);
  }

  private static boolean isHidden(String name) {
    return name.startsWith(".");
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    if (attributes.isRegularFile() && !isHidden(file.getFileName().toString())) {
      list(file, attributes);
    }
    return isStopped.getAsBoolean() ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
  }

  private void list(Path file, BasicFileAttributes attributes) {
    ListedFile listed = ListedFile.of(root, file, attributes);
    if (!listed.isAt(root, file)) {
      unreadable.add(listed.path() + ": its name cannot be represented in this locale");
      return;
    }
    try {
      if (isBinary(file)) {
        binaryFiles++;
      } else {
        files.add(listed);
      }
    } catch (IOException e) {
      unreadable.add(listed.path() + ": " + e.getClass().getSimpleName());
    }
  }

  private static boolean isBinary(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      for (byte b : in.readNBytes(PROBE_BYTES)) {
        if (b == 0) {
          return true;
        }
      }
      return false;
    }
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
    if (file.equals(root)) {
      throw e;
    }
    unreadable.add(root.relativize(file) + ": " + e.getClass().getSimpleName());
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
    if (e != null && directory.equals(root)) {
      throw e;
    }
    if (e != null) {
      unreadable.add(root.relativize(directory) + ": " + e.getClass().getSimpleName());
    }
    return FileVisitResult.CONTINUE;
  }
}
