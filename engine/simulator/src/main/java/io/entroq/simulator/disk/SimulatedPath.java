package io.entroq.simulator.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent.Kind;
import java.nio.file.WatchEvent.Modifier;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;

/** A path of one process, without double or trailing slashes. */
final class SimulatedPath implements Path {
  private static final String ROOT = "/";

  private final SimulatedFileSystem fileSystem;
  private final String text;
  private String location;

  SimulatedPath(SimulatedFileSystem fileSystem, String text) {
    this.fileSystem = fileSystem;
    this.text = text;
  }

  /** A path from any text. */
  static SimulatedPath of(SimulatedFileSystem fileSystem, String text) {
    StringBuilder clean = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each != '/' || clean.length() == 0 || clean.charAt(clean.length() - 1) != '/') {
        clean.append(each);
      }
    }
    if (clean.length() > 1 && clean.charAt(clean.length() - 1) == '/') {
      clean.setLength(clean.length() - 1);
    }
    return new SimulatedPath(fileSystem, clean.toString());
  }

  static SimulatedPath of(Path path) {
    if (path instanceof SimulatedPath ours) {
      return ours;
    }
    throw new ProviderMismatchException(path + " is on no simulated disk");
  }

  private SimulatedPath with(String other) {
    return new SimulatedPath(fileSystem, other);
  }

  DiskProcess process() {
    return fileSystem.process();
  }

  /** Absolute and normalized. */
  String location() {
    if (location == null) {
      location = toAbsolutePath().normalize().toString();
    }
    return location;
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    for (int from = isAbsolute() ? 1 : 0; from < text.length(); ) {
      int end = text.indexOf('/', from);
      int to = end < 0 ? text.length() : end;
      names.add(text.substring(from, to));
      from = to + 1;
    }
    if (text.isEmpty()) {
      names.add("");
    }
    return names;
  }

  @Override
  public SimulatedFileSystem getFileSystem() {
    return fileSystem;
  }

  @Override
  public boolean isAbsolute() {
    return text.startsWith(ROOT);
  }

  @Override
  public Path getRoot() {
    return isAbsolute() ? with(ROOT) : null;
  }

  @Override
  public Path getFileName() {
    return text.equals(ROOT) ? null : with(text.substring(text.lastIndexOf('/') + 1));
  }

  @Override
  public Path getParent() {
    int end = text.lastIndexOf('/');
    if (end > 0) {
      return with(text.substring(0, end));
    }
    return end == 0 && text.length() > 1 ? with(ROOT) : null;
  }

  @Override
  public int getNameCount() {
    return names().size();
  }

  @Override
  public Path getName(int index) {
    return with(names().get(index));
  }

  @Override
  public Path subpath(int beginIndex, int endIndex) {
    return with(String.join("/", names().subList(beginIndex, endIndex)));
  }

  @Override
  public boolean startsWith(Path other) {
    if (!(other instanceof SimulatedPath path) || path.isAbsolute() != isAbsolute()) {
      return false;
    }
    List<String> names = names();
    List<String> first = path.names();
    return first.size() <= names.size() && names.subList(0, first.size()).equals(first);
  }

  @Override
  public boolean endsWith(Path other) {
    if (!(other instanceof SimulatedPath path)) {
      return false;
    }
    List<String> names = names();
    List<String> last = path.names();
    int from = names.size() - last.size();
    return path.isAbsolute()
        ? equals(path)
        : from >= 0 && names.subList(from, names.size()).equals(last);
  }

  @Override
  public Path normalize() {
    List<String> kept = new ArrayList<>();
    for (String name : names()) {
      boolean hasParent = !kept.isEmpty() && !kept.get(kept.size() - 1).equals("..");
      if (!name.equals("..")) {
        if (!name.equals(".")) {
          kept.add(name);
        }
      } else if (hasParent) {
        kept.remove(kept.size() - 1);
      } else if (!isAbsolute()) {
        kept.add(name);
      }
    }
    return with((isAbsolute() ? ROOT : "") + String.join("/", kept));
  }

  @Override
  public Path resolve(Path other) {
    SimulatedPath path = of(other);
    if (path.isAbsolute() || text.isEmpty()) {
      return path;
    }
    if (path.text.isEmpty()) {
      return this;
    }
    return with(text.equals(ROOT) ? ROOT + path.text : text + "/" + path.text);
  }

  @Override
  public Path relativize(Path other) {
    SimulatedPath path = of(other);
    if (path.isAbsolute() != isAbsolute()) {
      throw new IllegalArgumentException("one of " + this + " and " + other + " is absolute");
    }
    List<String> from = text.isEmpty() ? List.of() : names();
    List<String> to = path.names();
    int common = 0;
    while (common < Math.min(from.size(), to.size()) && from.get(common).equals(to.get(common))) {
      common++;
    }
    List<String> way = new ArrayList<>();
    for (int i = common; i < from.size(); i++) {
      way.add("..");
    }
    way.addAll(to.subList(common, to.size()));
    return with(String.join("/", way));
  }

  @Override
  public URI toUri() {
    return URI.create(SimulatedProvider.SCHEME + "://" + location());
  }

  @Override
  public Path toAbsolutePath() {
    if (isAbsolute()) {
      return this;
    }
    return with(ROOT + text);
  }

  @Override
  public Path toRealPath(LinkOption... options) throws IOException {
    process().tree().require(location());
    return with(location());
  }

  @Override
  public WatchKey register(WatchService watcher, Kind<?>[] events, Modifier... modifiers) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int compareTo(Path other) {
    return text.compareTo(of(other).text);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SimulatedPath path
        && path.fileSystem == fileSystem
        && path.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
