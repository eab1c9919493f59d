package io.entroq.examples;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The dependencies of an example, which users copy. */
class ImportRulesTest {
  private static final JavaClasses EXAMPLES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.entroq.examples");

  @Test
  void shouldNeedNothingButTheApiAndTheJdk() {
    classes()
        .that()
        .resideOutsideOfPackage("io.entroq.examples.outbox")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.entroq.examples..", "io.entroq.api..", "java..")
        .check(EXAMPLES);
  }

  @Test
  void shouldNeedTheModuleForDatabasesForTheOutboxOnly() {
    classes()
        .that()
        .resideInAPackage("io.entroq.examples.outbox")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.entroq.examples.outbox", "io.entroq.api..", "io.entroq.jdbc", "java..")
        .check(EXAMPLES);
  }

  @Test
  void shouldNotNeedOneAnother() {
    slices().matching("io.entroq.examples.(*)..").should().notDependOnEachOther().check(EXAMPLES);
  }

  @Test
  void shouldKeepTheInputOfTheWordCountFreeOfQueues() {
    noClasses()
        .that()
        .resideInAPackage("io.entroq.examples.mapreduce.text..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.entroq.api..")
        .check(EXAMPLES);
  }
}
