package io.entroq.console;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may import whom, in the console. */
class ImportRulesTest {
  // Read once for all rules.
  private static final JavaClasses CONSOLE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.entroq.console");

  @Test
  void shouldHaveNoCyclesBetweenPackages() {
    slices().matching("io.entroq.console.(**)").should().beFreeOfCycles().check(CONSOLE);
  }

  @Test
  void shouldUseTemplatesWithoutTheirCompiler() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("gg.jte.compiler..", "gg.jte.resolve..", "gg.jte.watcher..")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("gg.jte.TemplateEngine")
        .because("it is not there at run time")
        .check(CONSOLE);
  }

  @Test
  void shouldNotKnowWhatCarriesHttp() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.netty..")
        .because("it is mounted as a site")
        .check(CONSOLE);
  }

  @Test
  void shouldReachTheQueueThroughTheServiceAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.entroq.console")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.entroq.engine..")
        .because("a page may do no more than a client of the same user")
        .check(CONSOLE);
  }
}
