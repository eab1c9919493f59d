package io.entroq.load;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ImportRulesTest {
  private static final JavaClasses LOAD =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.entroq.load");

  @Test
  void shouldPutLoadOnAnyQueue() {
    noClasses()
        .that()
        .resideInAPackage("io.entroq.load..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.entroq.engine..", "io.entroq.client..", "io.entroq.server..")
        .because("any EntroQ will do: embedded, served or replicated")
        .check(LOAD);
  }
}
