package io.entroq.system.sources;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.system.sources.Sources.Source;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Rules for the size of packages, the names of types, and dependencies between packages. */
class LayoutTest {
  private static final int TYPES_MAX = 30;
  private static final int FEW_TYPES = 2;
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?(io\\.entroq\\.[\\w.]+);");
  private static final List<Source> ALL = Sources.all();

  @Test
  void shouldHaveAtMostThirtyTypesInAPackage() {
    Map<String, Integer> large = new TreeMap<>();
    packages()
        .forEach(
            (name, types) -> {
              if (types.size() > TYPES_MAX) {
                large.put(name, types.size());
              }
            });
    assertThat(large).isEmpty();
  }

  @Test
  void shouldSayWhyAPackageHasOnlyOneOrTwoTypes() {
    packages()
        .forEach(
            (name, types) -> {
              String page = types.get(0).packagePage();
              assertThat(page).as("the page of %s", name).isNotEmpty();
              if (types.size() <= FEW_TYPES) {
                assertThat(page).as("%s has few types", name).contains("because");
              }
            });
  }

  @Test
  void shouldUseASimpleNameOnceInAModule() {
    Map<String, List<Source>> named =
        ALL.stream().collect(groupingBy(type -> type.module() + ": " + type.simpleName()));
    Set<String> twice = new TreeSet<>();
    named.forEach(
        (name, types) -> {
          if (types.size() > 1) {
            twice.add(
                name + " in " + types.stream().map(Source::packageName).collect(joining(", ")));
          }
        });
    assertThat(twice).isEmpty();
  }

  @Test
  void shouldHaveAPackageInOneModule() {
    packages()
        .forEach(
            (name, types) ->
                assertThat(types.stream().map(Source::module).distinct()).as(name).hasSize(1));
  }

  @Test
  void shouldHaveNoCyclesOfPackages() {
    Map<String, Set<String>> imports = imports();
    for (String name : imports.keySet()) {
      assertThat(reachable(imports, name))
          .as("what %s imports, and what that imports", name)
          .doesNotContain(name);
    }
  }

  /** Main code by package. */
  private static Map<String, List<Source>> packages() {
    return ALL.stream()
        .filter(Source::isMain)
        .collect(groupingBy(Source::packageName, TreeMap::new, toCollection(ArrayList::new)));
  }

  private static Map<String, Set<String>> imports() {
    Set<String> names = packages().keySet();
    Map<String, Set<String>> imports = new TreeMap<>();
    packages()
        .forEach(
            (name, types) -> {
              Set<String> imported = imports.computeIfAbsent(name, key -> new TreeSet<>());
              types.forEach(
                  type ->
                      IMPORT
                          .matcher(type.text())
                          .results()
                          .map(match -> packageOf(match.group(1), names))
                          .filter(other -> !other.equals(name))
                          .forEach(imported::add));
            });
    return imports;
  }

  /** The package of what is imported, which may be a nested type or a static member. */
  private static String packageOf(String imported, Set<String> names) {
    String prefix = imported;
    while (!prefix.isEmpty() && !names.contains(prefix)) {
      prefix = prefix.substring(0, Math.max(0, prefix.lastIndexOf('.')));
    }
    return prefix;
  }

  private static Set<String> reachable(Map<String, Set<String>> imports, String from) {
    Set<String> reached = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(imports.get(from));
    while (!open.isEmpty()) {
      String next = open.pop();
      if (reached.add(next)) {
        open.addAll(imports.getOrDefault(next, Set.of()));
      }
    }
    return reached;
  }
}
