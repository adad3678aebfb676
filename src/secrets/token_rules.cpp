// The vendors' tokens, from their documents.

#include "secrets/token_rules.hpp"

namespace plankeep::secrets {
namespace {

struct Token {
  const char* id;
  const char* keywords;  // Rule::keywords
  const char* pattern;
};

// Where a token has a fixed length, "\b" ends the pattern: a longer word is something else.
constexpr Token kTokens[] = {
    {"github-token", "^ghp_|^gho_|^ghu_|^ghs_|^ghr_", R"(\bgh[pousr]_[A-Za-z0-9]{36,255}\b)"},
    {"github-fine-grained", "^github_pat_", R"(\bgithub_pat_[A-Za-z0-9_]{82,255}\b)"},
    {"gitlab-token",
     "^glpat-|^gldt-|^glrt-|^glsoat-|^glptt-|^glft-|^glimt-|^glagent-|^glcbt-|^gloas-|^glffct-|^glrtr-|^"
     "GR1348941",
     R"(\b(?:gl(?:pat|dt|rt|rtr|soat|ptt|ft|imt|agent|cbt|oas|ffct)-[A-Za-z0-9_=.-]{20,300}|GR1348941[A-Za-z0-9_-]{20,60}))"},
    {"aws-access-key", "^AKIA|^ASIA|^ABIA|^ACCA|^A3T",
     R"(\b((?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16})\b)"},
    {"aws-bedrock-key", "^ABSK", R"(\bABSK[A-Za-z0-9+/]{100,269}={0,2})"},
    {"google-api-key", "^AIza", R"(\bAIza[A-Za-z0-9_-]{35})"},
    {"google-oauth", "^ya29.", R"(\bya29\.[A-Za-z0-9_-]{20,})"},
    {"google-oauth-secret", "^GOCSPX-", R"(\bGOCSPX-[A-Za-z0-9_-]{28})"},
    {"anthropic-key", "^sk-ant-", R"(\bsk-ant-[a-z0-9]+-[A-Za-z0-9_-]{20,})"},
    {"openai-key", "T3BlbkFJ", R"(\bsk-(?:[a-z]+-)?[A-Za-z0-9_-]{16,}T3BlbkFJ[A-Za-z0-9_-]{16,})"},
    {"openai-project-key", "^sk-proj-|^sk-svcacct-|^sk-admin-|^sk-None-",
     R"(\bsk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,})"},
    {"api-key-sk", "^sk-", R"(\bsk-[A-Za-z0-9]{32,}\b)"},
    {"openrouter-key", "^sk-or-", R"(\bsk-or-v1-[a-f0-9]{64}\b)"},
    {"slack-token", "^xox", R"(\bxox[abeoprs]-[A-Za-z0-9-]{10,})"},
    {"slack-app-token", "^xapp-", R"(\bxapp-\d-[A-Za-z0-9-]{10,})"},
    {"slack-webhook", "hooks.slack.com",
     R"(hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20,})"},
    {"discord-webhook", "discord.com/api|discordapp.com/api",
     R"(discord(?:app)?\.com/api/webhooks/\d{17,20}/[A-Za-z0-9_-]{60,})"},
    {"teams-webhook", "webhook.office.com", R"(webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{40,})"},
    {"stripe-key", "^sk_|^rk_", R"(\b[sr]k_(?:test|live|prod)_[A-Za-z0-9]{10,})"},
    {"stripe-webhook", "^whsec_", R"(\bwhsec_[A-Za-z0-9+/=]{24,})"},
    {"npm-token", "^npm_", R"(\bnpm_[A-Za-z0-9]{36}\b)"},
    {"pypi-token", "^pypi-AgEIcHlwaS5vcmc", R"(\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,})"},
    {"rubygems-key", "^rubygems_", R"(\brubygems_[a-f0-9]{48}\b)"},
    {"crates-token", "^cio", R"(\bcio[A-Za-z0-9]{32}\b)"},
    {"hugging-face-token", "^hf_", R"(\bhf_[A-Za-z]{34}\b)"},
    {"hugging-face-org-token", "^api_org_", R"(\bapi_org_[A-Za-z]{34}\b)"},
    {"sendgrid-key", "^SG.", R"(\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b)"},
    {"sendinblue-key", "^xkeysib-", R"(\bxkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b)"},
    {"mailgun-key", "^key-", R"(\bkey-[a-f0-9]{32}\b)"},
    {"mailchimp-key", "-us", R"(\b[a-f0-9]{32}-us\d{1,2}\b)"},
    {"twilio-key", "^SK", R"(\bSK[a-f0-9]{32}\b)"},
    {"databricks-token", "^dapi", R"(\bdapi[a-f0-9]{32}(?:-\d)?\b)"},
    {"digitalocean-token", "^dop_v1_|^doo_v1_|^dor_v1_", R"(\bdo[opr]_v1_[a-f0-9]{64}\b)"},
    {"doppler-token", "^dp.", R"(\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]+\.)?[A-Za-z0-9]{40,44}\b)"},
    {"vault-token", "^hvs.|^hvb.", R"(\bhv[sb]\.[A-Za-z0-9_-]{20,})"},
    {"terraform-token", ".atlasv1.", R"([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,})"},
    {"azure-client-secret", "Q~", R"([A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34})"},
    {"azure-storage-key", "accountkey=", R"(AccountKey=([A-Za-z0-9+/]{86}==))"},
    {"azure-shared-key", "sharedaccesskey=", R"(SharedAccessKey=([A-Za-z0-9+/]{43}=))"},
    {"cloudflare-origin-key", "^v1.0-", R"(\bv1\.0-[a-f0-9]{24}-[a-f0-9]{146}\b)"},
    {"fly-token", "^fo1_|^fm1a_|^fm1r_|^fm2_",
     R"(\b(?:fo1_[A-Za-z0-9_-]{43}|fm1[ar]_[A-Za-z0-9+/]{100,}={0,3}|fm2_[A-Za-z0-9+/]{100,}={0,3}))"},
    {"grafana-token", "^glsa_|^glc_",
     R"(\b(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,}={0,2}))"},
    {"linear-key", "^lin_", R"(\blin_(?:api|oauth)_[A-Za-z0-9]{40,}\b)"},
    {"notion-token", "^ntn_", R"(\bntn_[A-Za-z0-9]{40,}\b)"},
    {"notion-secret", "^secret_", R"(\bsecret_[A-Za-z0-9]{43}\b)"},
    {"postman-key", "^PMAK-", R"(\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b)"},
    {"pulumi-token", "^pul-", R"(\bpul-[a-f0-9]{40}\b)"},
    {"sentry-token", "^sntrys_|^sntryu_", R"(\bsntry[su]_[A-Za-z0-9+/=_-]{40,})"},
    {"shopify-token", "^shpat_|^shpca_|^shppa_|^shpss_", R"(\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}\b)"},
    {"square-token", "^sq0atp-|^sq0csp-", R"(\bsq0(?:atp|csp)-[A-Za-z0-9_-]{22,60})"},
    {"square-access-token", "^EAAA", R"(\bEAAA[A-Za-z0-9+/=_-]{60}\b)"},
    {"supabase-key", "^sb_secret_|^sbp_", R"(\b(?:sb_secret_[A-Za-z0-9_-]{20,}|sbp_[a-f0-9]{40})\b)"},
    {"1password-secret-key", "^A3-",
     R"(\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\b)"},
    {"1password-service-token", "^ops_eyJ", R"(\bops_eyJ[A-Za-z0-9+/]{100,}={0,3})"},
    {"age-key", "^AGE-SECRET-KEY-1", R"(\bAGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}\b)"},
    {"perplexity-key", "^pplx-", R"(\bpplx-[A-Za-z0-9]{48}\b)"},
    {"groq-key", "^gsk_", R"(\bgsk_[A-Za-z0-9]{52}\b)"},
    {"xai-key", "^xai-", R"(\bxai-[A-Za-z0-9]{80}\b)"},
    {"replicate-token", "^r8_", R"(\br8_[A-Za-z0-9]{37}\b)"},
    {"planetscale-token", "^pscale_", R"(\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9=._-]{32,64})"},
    {"heroku-key", "^HRKU-", R"(\bHRKU-[A-Za-z0-9_-]{36,60})"},
    {"telegram-bot-token", ":A", R"(\b\d{8,10}:A[A-Za-z0-9_-]{34}\b)"},
    {"atlassian-token", "^ATATT3", R"(\bATATT3[A-Za-z0-9_=-]{180,200})"},
    {"bitbucket-token", "^ATBB", R"(\bATBB[A-Za-z0-9]{32}\b)"},
    {"newrelic-key", "^NRA", R"(\bNRA[AKL]-[A-Za-z0-9]{27,32}\b)"},
    {"dynatrace-token", "^dt0c01.", R"(\bdt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}\b)"},
    {"docker-token", "^dckr_", R"(\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27,32})"},
    {"artifactory-key", "^AKCp", R"(\bAKCp[A-Za-z0-9]{69}\b)"},
    {"figma-token", "^figd_|^figo_|^figu_", R"(\bfig[dou]_[A-Za-z0-9_-]{40,})"},
    {"prefect-key", "^pnu_|^pnb_", R"(\bpn[ub]_[A-Za-z0-9]{36}\b)"},
    {"easypost-key", "^EZAK|^EZTK", R"(\bEZ[AT]K[A-Za-z0-9]{54}\b)"},
    {"typeform-token", "^tfp_", R"(\btfp_[A-Za-z0-9_.=-]{59}\b)"},
    {"buildkite-token", "^bkua_|^bkct_|^bkat_", R"(\bbk(?:ua|ct|at)_[A-Za-z0-9]{40}\b)"},
    {"airtable-token", "^pat", R"(\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b)"},
    {"contentful-token", "^CFPAT-", R"(\bCFPAT-[A-Za-z0-9_-]{43}\b)"},
    {"alibaba-access-key", "^LTAI", R"(\bLTAI[A-Za-z0-9]{12,20}\b)"},
    {"facebook-app-token", "facebook|fb_|graph.", R"(\b\d{15,16}(?:\||%7C)[A-Za-z0-9_-]{27,40})"},
    {"facebook-page-token", "^EAAM|^EAAC|^EAAG|^EAAB", R"(\bEAA[MCGB][A-Za-z0-9]{80,}\b)"},
    {"42-secret", "^s-s4t2", R"(\bs-s4t2(?:ud|af)-[a-f0-9]{64}\b)"},
    {"shippo-token", "^shippo_", R"(\bshippo_(?:live|test)_[A-Fa-f0-9]{40}\b)"},
    {"harness-token", "^pat.|^sat.", R"(\b[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}\b)"},
    {"settlemint-token", "^sm_aat_|^sm_pat_|^sm_sat_", R"(\bsm_[aps]at_[A-Za-z0-9]{16,}\b)"},
    {"sourcegraph-token", "^sgp_|^slk_|^sgd_",
     R"(\b(?:sgp_(?:[A-Za-z0-9]{16}_|local_)?[A-Fa-f0-9]{40}|slk_[a-f0-9]{64}|sgd_[a-f0-9]{64})\b)"},
    {"clojars-token", "^CLOJARS_", R"(\bCLOJARS_[A-Za-z0-9]{60}\b)"},
    {"openshift-token", "^sha256~", R"(\bsha256~[A-Za-z0-9_-]{43}\b)"},
    {"readme-key", "^rdme_", R"(\brdme_[a-z0-9]{70}\b)"},
    {"adobe-secret", "^p8e-|^p8e_", R"(\bp8e[-_][A-Za-z0-9_-]{32}\b)"},
    {"duffel-token", "^duffel_", R"(\bduffel_(?:test|live)_[A-Za-z0-9_=-]{43}\b)"},
    {"flutterwave-key", "^FLWSECK", R"(\bFLWSECK(?:_TEST)?-[a-h0-9A-H]{12,}(?:-X)?\b)"},
    {"frame-io-token", "^fio-u-", R"(\bfio-u-[A-Za-z0-9_=-]{64}\b)"},
    {"infracost-key", "^ico-", R"(\bico-[A-Za-z0-9]{32}\b)"},
    {"artifactory-reference", "^cmVmdGtu", R"(\bcmVmdGtu[A-Za-z0-9]{56}\b)"},
    {"mapbox-token", "^pk.|^sk.", R"(\b[ps]k\.[A-Za-z0-9]{60,}\.[A-Za-z0-9_-]{22}\b)"},
    {"lob-key", "^live_|^test_", R"(\b(?:live|test)_(?:pub_)?[a-f0-9]{31,35}\b)"},
    {"scalingo-token", "^tk-us-", R"(\btk-us-[A-Za-z0-9_-]{48}\b)"},
    {"yandex-key", "^AQVN|^YC", R"(\b(?:AQVN[A-Za-z0-9_-]{35,38}|YC[A-Za-z0-9_-]{38})\b)"},
    {"octopus-key", "^API-", R"(\bAPI-[A-Z0-9]{26}\b)"},
    {"nuget-key", "^oy2", R"(\boy2[a-z0-9]{43}\b)"},
    {"maxmind-key", "_mmk", R"(\b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b)"},
    {"clickhouse-key", "^4b1d", R"(\b4b1d[A-Za-z0-9]{38}\b)"},
    {"deno-token", "^ddp_|^ddw_", R"(\bdd[pw]_[A-Za-z0-9]{36}\b)"},
    {"netlify-token", "^nfp_", R"(\bnfp_[A-Za-z0-9]{36,40}\b)"},
    {"langsmith-key", "^lsv2_", R"(\blsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}\b)"},
    {"langfuse-key", "^sk-lf-", R"(\bsk-lf-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}\b)"},
    {"tavily-key", "^tvly-", R"(\btvly-[A-Za-z0-9-]{20,})"},
    {"fireworks-key", "^fw_", R"(\bfw_[A-Za-z0-9]{22,24}\b)"},
    {"elevenlabs-key", "^sk_", R"(\bsk_[a-f0-9]{48}\b)"},
    {"circleci-token", "^CCIPAT_|^CCIPRJ_", R"(\bCCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}\b)"},
    {"sonar-token", "^squ_|^sqp_|^sqa_", R"(\bsq[upa]_[a-f0-9]{40}\b)"},
    {"resend-key", "^re_", R"(\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b)"},
    {"neon-key", "^napi_", R"(\bnapi_[a-z0-9]{60,}\b)"},
    {"posthog-key", "^phx_|^phs_", R"(\bph[xs]_[A-Za-z0-9]{40,}\b)"},
    {"tailscale-key", "^tskey-", R"(\btskey-[a-z]{3,12}-[A-Za-z0-9]{6,}-[A-Za-z0-9]{20,})"},
    {"pinecone-key", "^pcsk_", R"(\bpcsk_[A-Za-z0-9_]{50,}\b)"},
    {"wakatime-key", "^waka_", R"(\bwaka_[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}\b)"},
    {"dropbox-token", "^sl.", R"(\bsl\.[A-Za-z0-9_=-]{130,})"},
    {"json-web-token", "^ey", R"(\bey[A-Za-z0-9_-]{15,}\.ey[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]{10,})"},
    {"otp-secret", "otpauth://", R"(otpauth://[a-z]+/[^\s"']*[?&]secret=([A-Za-z2-7=]{8,}))"},
};

// 1 if the pattern has a capturing group, which is the secret; 0: the whole match is.
int group_of(std::string_view pattern) {
  for (std::size_t at = pattern.find('('); at != std::string_view::npos; at = pattern.find('(', at + 1)) {
    const bool escaped = at > 0 && pattern[at - 1] == '\\';
    if (!escaped && pattern.substr(at + 1, 1) != "?") return 1;
  }
  return 0;
}

}  // namespace

void add_token_rules(std::vector<Rule>& rules) {
  for (const Token& token : kTokens) {
    Rule& rule = rules.emplace_back();
    rule.id = token.id;
    rule.keywords = token.keywords;
    rule.pattern = token.pattern;
    rule.group = group_of(token.pattern);
  }
}

}  // namespace plankeep::secrets
