package io.entroq.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.entroq.server.cli.queue.options.TargetOptions;
import org.junit.jupiter.api.Test;

/** Who may import whom, in the process that serves. */
class ImportRulesTest {
  private final JavaClasses server =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.entroq.server");

  @Test
  void shouldHaveNoCyclesBetweenPackages() {
    slices().matching("io.entroq.server.(**)").should().beFreeOfCycles().check(server);
  }

  @Test
  void shouldKeepTheInputOfTheDemoFreeOfQueues() {
    noClasses()
        .that()
        .resideInAPackage("io.entroq.server.demo.text..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.entroq.api..", "io.entroq.engine..")
        .check(server);
  }

  @Test
  void shouldShowTheApiToWhoeverReadsTheJobOfTheDemo() {
    noClasses()
        .that()
        .resideInAnyPackage("io.entroq.server.demo.job..", "io.entroq.server.demo.chaos..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.entroq.engine..")
        .because("any EntroQ will do: embedded, served or replicated")
        .check(server);
  }

  @Test
  void shouldPutLoadOnAnyQueue() {
    noClasses()
        .that()
        .resideInAPackage("io.entroq.server.bench")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.entroq.engine..")
        .because("any EntroQ will do: embedded, served or replicated")
        .check(server);
  }

  @Test
  void shouldKnowInOnePlaceWhatCommandsOnQueuesWorkOn() {
    noClasses()
        .that()
        .resideInAPackage("io.entroq.server.cli.queue..")
        .and()
        .doNotHaveFullyQualifiedName(TargetOptions.class.getName())
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.entroq.engine..")
        .because("any EntroQ will do: embedded, served or replicated")
        .check(server);
  }
}
