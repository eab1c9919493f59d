package io.entroq.jdbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may import whom. */
class ImportRulesTest {
  @Test
  void shouldUseThePublicApiAndJdbcOnly() {
    classes()
        .that()
        .resideInAPackage("io.entroq.jdbc..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.entroq.jdbc..", "io.entroq.api..", "java..")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.entroq.jdbc"));
  }
}
