package io.entroq.sinks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may import whom. */
class ImportRulesTest {
  private static final JavaClasses SINKS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.entroq.sinks");

  @Test
  void shouldUseThePublicApiOnly() {
    classes()
        .that()
        .resideInAPackage("io.entroq.sinks..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.entroq.sinks..",
            "io.entroq.api..",
            "java..",
            "com.fasterxml.jackson.core..",
            "org.apache.kafka..")
        .check(SINKS);
  }

  @Test
  void shouldNeedKafkaForItsSinkOnly() {
    noClasses()
        .that()
        .haveSimpleNameNotStartingWith("KafkaSink")
        .and()
        .haveSimpleNameNotStartingWith("TopicPosition")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.kafka..")
        .check(SINKS);
  }
}
