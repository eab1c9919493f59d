package io.entroq.tools;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may import whom, in the tools. */
class ImportRulesTest {
  // Read once for all rules.
  private static final JavaClasses TOOLS =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.entroq.tools");

  @Test
  void shouldHaveNoCyclesBetweenPackages() {
    slices().matching("io.entroq.tools.(**)").should().beFreeOfCycles().check(TOOLS);
  }

  @Test
  void shouldCopyIntoAnyQueue() {
    noClasses()
        .that()
        .resideInAPackage("io.entroq.tools.importing..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.entroq.engine..", "io.entroq.server..")
        .because("any EntroQ will do: embedded, served or replicated")
        .check(TOOLS);
    noClasses()
        .that()
        .resideInAPackage("io.entroq.tools.importing..")
        .and()
        .resideOutsideOfPackage("io.entroq.tools.importing.source")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.entroq.client..")
        .because("one package knows how a server is read")
        .check(TOOLS);
  }
}
