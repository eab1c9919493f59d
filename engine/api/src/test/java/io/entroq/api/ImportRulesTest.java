package io.entroq.api;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may import whom. */
class ImportRulesTest {
  private static final JavaClasses API =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.entroq.api");

  @Test
  void shouldImportNothingButTheWireAndTheLanguage() {
    classes()
        .that()
        .resideInAPackage("io.entroq.api..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.entroq.api..", "io.entroq.codec.wire", "java..", "com.fasterxml.jackson..")
        .check(API);
  }

  @Test
  void shouldImportJacksonInItsCodecOnly() {
    noClasses()
        .that()
        .doNotHaveSimpleName("JacksonCodec")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.fasterxml.jackson..")
        .check(API);
  }

  @Test
  void shouldHaveNoCycles() {
    slices().matching("io.entroq.(api..)").should().beFreeOfCycles().check(API);
  }
}
